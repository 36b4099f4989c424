import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import type { ShownExperience } from '../editor/document.ts';
import type { Editor } from '../editor/use-editor.ts';
import * as text from '../messages/text.ts';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { describeFailing } from './describe-failing.ts';
import { pickAgainPath } from './pick-again-path.ts';
import { type FailingStep, useFailingStepsOf } from './use-failing-steps.ts';

const texts = text.failingSteps;
const MAX_NOTICES = 2;

/** The steps that most people do not see, where to pick their elements again, and how many more there are. */
export function FailingNotices({ experience, editor }: { experience: ShownExperience; editor: Editor }) {
  const steps = useFailingStepsOf(experience);
  const others = steps.length - MAX_NOTICES;
  return steps.slice(0, MAX_NOTICES).map((step, at) => (
    <FailingNotice key={step.step_id} step={step} editor={editor}>
      {at === MAX_NOTICES - 1 && others > 0 && ` ${texts.more(others)}`}
    </FailingNotice>
  ));
}

interface FailingNoticeProps {
  step: FailingStep;
  editor: Editor;
  children?: ReactNode;
}

function FailingNotice({ step, editor, children }: FailingNoticeProps) {
  const { can } = useSession();
  const found = editor.document.steps.findIndex(({ id }) => id === step.step_id);
  const index = found < 0 ? null : found;
  const path = pickAgainPath(step, index);
  return (
    <Notice
      kind="warning"
      action={
        can('edit') &&
        !editor.isReadOnly &&
        path !== undefined && (
          <Link href={path} className="shrink-0" {...(index !== null && { 'aria-label': texts.pickStep(index + 1) })}>
            {texts.pickAgain}
          </Link>
        )
      }
    >
      <bdi>{describeFailing(step, index)}</bdi> {texts.since(new Date(step.since))}
      {children}
    </Notice>
  );
}

/** A short notice beside the element of the step, where it can be picked again. */
export function FailingPart({ experience, stepId }: { experience: ShownExperience; stepId: string }) {
  const step = useFailingStepsOf(experience).find(({ step_id }) => step_id === stepId);
  if (!step) return null;
  return (
    <p className="flex items-start gap-1.5 text-13 text-warn">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      {texts.short(step.share, step.total_users_count)}
    </p>
  );
}
