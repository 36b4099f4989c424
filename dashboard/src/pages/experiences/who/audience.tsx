import { Users } from 'lucide-react';
import type { ShownExperience } from '../../../editor/document.ts';
import { describeCount, formatPeople } from '../../../filters/describe-count.ts';
import * as text from '../../../messages/text.ts';
import { toPerson } from '../../../people/use-people.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useAudience } from './use-explanation.ts';

const texts = text.targeting.who;

/** The number of people that the Experience is for, and some of these people. */
export function Audience({ experience }: { experience: ShownExperience }) {
  const { data, error } = useAudience(experience);
  if (!data) return <p className="flex h-7 items-center text-13 text-soft">{error ? texts.failed : texts.counting}</p>;
  const { count, before, is_complete, estimate, sample } = data.audience;
  const people = (count: number, estimate: number | null) =>
    texts.count(formatPeople({ count, is_complete, estimate: estimate ?? count }), is_complete && count === 1);
  const isDraft = experience.state === 'draft' || experience.has_unpublished_changes;
  return (
    <Popover
      label={texts.audience}
      placement="top end"
      className="flex w-72 max-w-[90vw] flex-col gap-2 text-13"
      trigger={
        <Button size="small" look="quiet" icon={Users} className="max-md:-ml-2">
          {describeCount({ count, is_complete, estimate: estimate.count })}
        </Button>
      }
    >
      <p>{(isDraft ? texts.draftDetail : texts.audienceDetail)(people(count, estimate.count))}</p>
      {isDraft && before !== null && <p>{texts.before(people(before, estimate.before))}</p>}
      {sample.length > 0 && (
        <>
          <h3 className="font-medium">{texts.sample}</h3>
          <ul className="flex flex-col gap-1">
            {sample.map((one) => (
              <li key={one.id} className="truncate text-soft">
                <bdi>{toPerson({ ...one, email: one.email, name: one.name }).label}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </Popover>
  );
}
