import type { QuantifierUrl } from '@usher/domain';
import { kinds } from '@usher/domain/kinds';
import type { Document } from '../../../editor/document.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';

const texts = text.targeting.summary;
const MAX_NAMED = 2;

interface TargetingNames {
  /** How many people it is for, in words; undefined until that is known. */
  people: string | undefined;
  segments: readonly string[];
  excluded: readonly string[];
  environments: readonly string[];
}

/** One sentence about whom the draft is for, where, and how often: "Shows to 12 people on /team in all Environments, once." */
export function describeTargeting(document: Document, rules: readonly QuantifierUrl[], names: TargetingNames): string {
  const { isExclusive, isLasting } = kinds[document.kind];
  const frequency = isLasting
    ? undefined
    : isExclusive && document.style === 'manual'
      ? texts.manual
      : document.repeat_days === null
        ? texts.once
        : texts.again(formatNumber(document.repeat_days), document.repeat_days === 1);
  return texts.sentence(
    [
      describePeople(document, names),
      describePages(rules),
      names.environments.length === 0
        ? texts.allEnvironments
        : texts.inEnvironments(joinSome(names.environments, 'and')),
    ].join(' '),
    frequency,
  );
}

function describePeople({ segments_op }: Document, { people, segments, excluded }: TargetingNames): string {
  const who = people ?? texts.everybody;
  const within =
    segments.length > 0 ? texts.within(joinSome(segments, segments_op === 'and' ? 'and' : 'or')) : undefined;
  const without = excluded.length > 0 ? texts.without(joinSome(excluded, 'or')) : undefined;
  return [who, within, without].filter((one) => one !== undefined).join(' ');
}

function describePages(rules: readonly QuantifierUrl[]): string {
  const isInverse = ({ match_type }: QuantifierUrl) => match_type.startsWith('inverse_');
  const [shown, hidden] = [rules.filter((rule) => !isInverse(rule)), rules.filter(isInverse)];
  if (shown.length === 0 && hidden.length === 0) return texts.everyPage;
  const paths = (list: readonly QuantifierUrl[]) => joinSome(list.map(nameOf), 'or');
  if (shown.length === 0) return texts.everyPageBut(paths(hidden));
  return hidden.length === 0 ? texts.onPages(paths(shown)) : texts.onPagesBut(paths(shown), paths(hidden));
}

/** A path is enough: all domains of the account have it. */
function nameOf({ match_type, url }: QuantifierUrl): string {
  return match_type === 'regex' ? texts.pattern(url) : url.replace(/^https?:\/\//, '');
}

function joinSome(names: readonly string[], last: 'and' | 'or'): string {
  if (names.length > MAX_NAMED + 1)
    return texts.join(names.slice(0, MAX_NAMED).join(', '), texts.others(names.length - MAX_NAMED), last);
  return names.length < 2 ? (names[0] ?? '') : texts.join(names.slice(0, -1).join(', '), names.at(-1) ?? '', last);
}
