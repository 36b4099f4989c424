import { AddressField, useVisitedPaths } from '../../../addresses/address-field.tsx';
import { toHref } from '../../../addresses/match-pages.ts';
import { useChoice } from '../../../addresses/use-choice.ts';
import { useFirstPage } from '../../../addresses/use-first-page.ts';
import { describeError } from '../../../api/describe-error.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import * as text from '../../../messages/text.ts';
import { PersonField } from '../../../people/person-field.tsx';
import { usePeople } from '../../../people/use-people.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { Audience } from './audience.tsx';
import { useExplanation } from './use-explanation.ts';
import { Verdict } from './verdict.tsx';

const texts = text.targeting.who;
const TYPING_MS = 400;

/** Says whether the Experience shows to a person on a page, and if not, why and what to change. */
export function WhoSees({ experience, editor }: ExperienceTabProps) {
  const [choice, choose] = useChoice();
  const firstPage = useFirstPage();
  const typed = choice.page ?? firstPage;
  return (
    <section
      aria-label={texts.title}
      className="flex min-w-0 basis-full flex-wrap lg:flex-1 items-center gap-x-3 gap-y-1.5 text-13"
    >
      <h2 className="font-medium whitespace-nowrap">{texts.title}</h2>
      <PersonField value={choice.profileId} onChange={(profileId) => choose({ profileId })} />
      <span className="hidden text-soft sm:inline">{texts.on}</span>
      <AddressField
        label={texts.page}
        value={typed}
        onChange={(page) => page !== typed && choose({ page })}
        placeholder={text.targeting.tester.placeholder}
        isWhole
        className="w-full sm:w-52 [&>:first-child]:sr-only"
      />
      <div role="status" className="min-w-0 basis-full lg:flex-1">
        <Answer experience={experience} editor={editor} profileId={choice.profileId} typed={typed} />
      </div>
      <Audience experience={experience} />
    </section>
  );
}

interface AnswerProps extends ExperienceTabProps {
  profileId: string | null;
  typed: string;
}

function Answer({ experience, editor, profileId, typed }: AnswerProps) {
  const { chosen, isGone, isEmpty } = usePeople('', profileId);
  const [visited] = useVisitedPaths();
  const href = useDebounced(toHref(typed, visited?.host), TYPING_MS);
  const { data, error } = useExplanation(experience, isGone ? undefined : chosen?.id, href);
  const isWaiting = editor.saved.kind === 'unsaved' || editor.saved.kind === 'saving';
  if (isGone) return <Hint>{texts.gone}</Hint>;
  if (isEmpty) return <Hint>{texts.noPeople}</Hint>;
  if (!chosen) return <Hint>{texts.choosePerson}</Hint>;
  if (href === undefined) return <Hint>{texts.choosePage}</Hint>;
  if (error) return <p className="text-bad">{describeError(error)?.description || describeError(error)?.title}</p>;
  if (isWaiting) return <Hint>{texts.waiting}</Hint>;
  return data ? <Verdict id={experience.id} explanation={data.explanation} /> : <Hint>{texts.checking}</Hint>;
}

function Hint({ children }: { children: string }) {
  return <p className="text-soft">{children}</p>;
}
