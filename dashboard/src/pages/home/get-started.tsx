import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { draftQuery, installationQuery, liveQuery } from '../../api/home-queries.ts';
import { useSession } from '../../api/session.ts';
import { useIsReachable } from '../../app/reachable-paths.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useStoredValue } from '../../ui/use-stored-value.ts';
import { checkSteps, type Step } from './check-steps.ts';
import { stepPages, stepPath } from './links.ts';
import { Panel } from './panel.tsx';

const { start: words } = text.home;

/**
 * Leads from an empty account to the first Experience that users see. It is shown to people who can do the steps, until
 * all are done.
 */
export function GetStarted() {
  const { account, can } = useSession();
  const [stored, store] = useStoredValue(`usher-get-started-${account.id}`);
  const { data, error: installationError } = useQuery(installationQuery);
  const installation = data?.installation;
  const { data: live, error: liveError } = useQuery(liveQuery);
  const steps = installation && live && checkSteps(installation, live.counts);
  const done = steps?.filter(({ isDone }) => isDone).length ?? 0;
  const isAllDone = steps !== undefined && done === steps.length;
  // This is remembered, so that the next visit shows no skeleton for a section that does not show.
  useEffect(() => {
    if (isAllDone && stored === null) store('done');
    if (steps && !isAllDone && stored === 'done') store(null);
  });
  if (!can('edit') || stored === 'dismissed' || isAllDone || (stored === 'done' && !steps)) return null;
  const dismiss = () => {
    store('dismissed');
    showToast({ title: words.dismissed, onUndo: () => store(null) });
  };
  return (
    <Panel
      title={words.title}
      error={installationError ?? liveError}
      aside={
        <span className="flex items-center gap-3">
          {steps && words.progress(done, steps.length)}
          <Button size="small" look="quiet" className="-mr-2" onPress={dismiss}>
            {words.dismiss}
          </Button>
        </span>
      }
    >
      <ol className="grid px-5 pb-4 @lg:grid-cols-2 @lg:gap-x-6 @4xl:grid-cols-4">
        {steps
          ? steps.map((step, at) => (
              <StepItem
                key={step.name}
                step={step}
                number={at + 1}
                isNext={steps.findIndex(({ isDone }) => !isDone) === at}
                demoUrl={installation.demo_url}
              />
            ))
          : [0, 1, 2, 3].map((at) => (
              <li key={at} className="flex gap-3 py-2 @lg:min-h-20">
                <Skeleton width={24} height={24} />
                <div className="flex flex-1 flex-col gap-2.5 pt-1">
                  <Skeleton width="70%" />
                  <Skeleton width="90%" height={8} />
                </div>
              </li>
            ))}
      </ol>
    </Panel>
  );
}

interface StepItemProps {
  step: Step;
  number: number;
  isNext: boolean;
  demoUrl: string | null;
}

function StepItem({ step: { name, isDone, found }, number, isNext, demoUrl }: StepItemProps) {
  const { can } = useSession();
  const isPage = useIsReachable();
  const { title, action } = words.steps[name];
  const path = stepPath(name, useDraftId(name === 'publish' && !isDone));
  return (
    <li className="flex gap-3 py-2 @lg:min-h-20">
      <span
        className={cx(
          'grid size-6 shrink-0 place-items-center rounded-full text-12 font-semibold forced-colors:border',
          isDone ? 'bg-good-tint text-good' : isNext ? 'bg-accent text-on-accent' : 'bg-hover text-soft',
        )}
      >
        {isDone ? <Check size={14} strokeWidth={3} aria-hidden /> : <span aria-hidden>{number}</span>}
        <span className="sr-only">{isDone ? words.isDone : words.isOpen}</span>
      </span>
      <div className="flex min-w-0 flex-col gap-0.5 pt-0.5">
        <p className={cx('font-medium', isDone && 'text-soft')}>{title}</p>
        <p className="line-clamp-2 text-13 text-soft">{found}</p>
        {!isDone && can('edit') && (
          <span className="flex flex-wrap gap-x-3 text-13">
            {path !== undefined && isPage(stepPages[name]) && <Link href={path}>{action}</Link>}
            {name === 'publish' && isNext && demoUrl !== null && <Link href={demoUrl}>{words.demo}</Link>}
          </span>
        )}
      </div>
    </li>
  );
}

/**
 * The draft that was changed last. The Experiences of the demo and of the sample data are live, so they are not found.
 */
function useDraftId(isNeeded: boolean): string | undefined {
  return useQuery({ ...draftQuery, enabled: isNeeded }).data?.experiences[0]?.id;
}
