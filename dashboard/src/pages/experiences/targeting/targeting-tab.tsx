import { kinds } from '@usher/domain/kinds';
import { type ReactNode, useState } from 'react';
import { useVisitedPaths } from '../../../addresses/address-field.tsx';
import { matchPage, toHref } from '../../../addresses/match-pages.ts';
import type { Document } from '../../../editor/document.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Fold } from '../../../ui/fold.tsx';
import { EditorBar } from '../who/index.ts';
import { BlockedFields } from './blocked-fields.tsx';
import { EnvironmentFields } from './environment-fields.tsx';
import { ExperimentFields } from './experiment-fields.tsx';
import { GoalList } from './goal-list.tsx';
import { PageRules } from './page-rules.tsx';
import { PageTester } from './page-tester.tsx';
import { PublicPageFields } from './public-page-fields.tsx';
import { ConsentField, LimitFields, RepeatFields, StartField, StopFields } from './repeat-fields.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { SegmentFields } from './segment-fields.tsx';
import { TargetingSummary } from './targeting-summary.tsx';
import { useFieldFocus } from './use-field-focus.ts';

const texts = text.targeting;

/** The tab that chooses who sees an Experience, where, when and how often. */
export default function TargetingTab({ experience, editor }: ExperienceTabProps) {
  const { kind } = editor.document;
  const { isExclusive, isLasting } = kinds[kind];
  const goTo = useFieldFocus(editor);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <TargetingSummary experience={experience} editor={editor} rules={firstOf(editor.document)?.rules ?? []} />
      <div className="grid flex-1 content-start items-start gap-4 py-4 md:grid-cols-2">
        <Column>
          <Card title={texts.pages.title} intro={texts.pages.intro(text.editor.kinds[kind].toLowerCase())}>
            <PageFields editor={editor} />
          </Card>
          <Card title={texts.people.title} intro={texts.people.intro}>
            <SegmentFields editor={editor} />
            <ConsentField editor={editor} />
          </Card>
          <Card title={texts.environments.title} intro={texts.environments.intro}>
            <EnvironmentFields editor={editor} />
            {'blocked_domains' in kinds[kind].fields && <BlockedFields editor={editor} />}
          </Card>
          <Card title={texts.schedule.title}>
            <ScheduleFields experience={experience} editor={editor} />
            {kinds[kind].asks && <StopFields editor={editor} />}
          </Card>
        </Column>
        <Column>
          {!isLasting && (
            <Card title={texts.repeat.title}>
              {isExclusive && <StartField editor={editor} />}
              <RepeatFields editor={editor} />
              {isExclusive && <LimitFields experience={experience} editor={editor} />}
            </Card>
          )}
          {'public_page' in kinds[kind].fields && (
            <Card title={texts.publicPage.title} intro={texts.publicPage.intro}>
              <PublicPageFields experience={experience} editor={editor} />
            </Card>
          )}
          <Card title={texts.experiment.title}>
            <ExperimentFields editor={editor} />
          </Card>
          <Card title={texts.goal.title} intro={texts.goal.intro}>
            <GoalList editor={editor} />
          </Card>
        </Column>
      </div>
      <EditorBar experience={experience} editor={editor} goTo={goTo} />
    </div>
  );
}

function Column({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-4">{children}</div>;
}

function Card({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-10 border border-line bg-surface p-4">
      <div>
        <h2 className="text-14 font-semibold">{title}</h2>
        {intro !== undefined && <p className="text-13 text-soft">{intro}</p>}
      </div>
      {children}
    </section>
  );
}

/**
 * The pages of the launcher or of the first step, where the Experience starts. The pages of the other steps are folded,
 * because few people need them.
 */
function PageFields({ editor }: { editor: Editor }) {
  const [typed, setTyped] = useState('');
  const host = useVisitedPaths()[0]?.host;
  const { document } = editor;
  const first = firstOf(document);
  if (!first) return <p className="text-14 text-soft">{texts.pages.every}</p>;
  const { fields, path, rules } = { ...first, fields: fieldsOf(editor, first.of, first.values) };
  const href = toHref(typed, host);
  const matched = href === undefined ? undefined : matchPage(rules, href).by;
  const others = kinds[document.kind].parts === 'items' ? [] : document.steps.slice(1);
  return (
    <>
      <PageRules editor={editor} fields={fields} path={path} empty={texts.pages.every} matched={matched} />
      <PageTester rules={rules} typed={typed} onType={setTyped} />
      {others.length > 0 && (
        <Fold title={texts.pages.steps}>
          {others.map((step, index) => (
            <section key={step.id} className="flex flex-col gap-2">
              <h3 className="truncate text-13 font-medium">{texts.pages.step(index + 2, step.title ?? '')}</h3>
              <PageRules
                editor={editor}
                fields={fieldsOf(editor, step.id, step)}
                path={`steps.${index + 1}.quantifier_urls`}
                empty={texts.pages.everyStep}
              />
            </section>
          ))}
        </Fold>
      )}
    </>
  );
}

function firstOf(document: Document) {
  if (kinds[document.kind].parts === 'items')
    return { of: '', values: document, path: 'quantifier_urls', rules: document.quantifier_urls ?? [] };
  const [step] = document.steps;
  return step && { of: step.id, values: step, path: 'steps.0.quantifier_urls', rules: step.quantifier_urls };
}
