import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import type { Document, Step } from '../../../editor/document.ts';
import * as text from '../../../messages/text.ts';
import { useStoredValue } from '../../../ui/use-stored-value.ts';
import { AddressField, useVisitedPaths } from '../targeting/address-field.tsx';
import { completeAddress, suggestPage } from './page-address.ts';

const texts = text.pick.page;

interface ChosenPage {
  typed: string;
  type: (typed: string) => void;
  /** The whole address, if there is one that can be opened. */
  href: string | undefined;
  problem: string | undefined;
  /** Remembers it as the page to begin with. */
  remember: () => void;
}

/** The page that is opened: what was typed, else the last one of this Experience, else the one that its rules or visits suggest. */
export function useChosenPage(
  experienceId: string,
  document: Document,
  step: Step,
  [typed, type]: [string | null, (typed: string) => void],
): ChosenPage {
  const { account } = useSession();
  const [last, setLast] = useStoredValue(`usher-picked-page-${account.id}-${experienceId}`);
  const visited = useVisitedPaths();
  const { data } = useQuery(query('GET /v3/edit/urls', { limit: 100 }));
  const domains = (data?.urls ?? []).filter(({ enabled }) => enabled === 'on').map(({ host }) => host);
  const rules = [...step.quantifier_urls, ...(document.steps[0]?.quantifier_urls ?? [])];
  const shown = typed ?? last ?? suggestPage(rules, visited, domains);
  const host = visited[0]?.host ?? domains.find((one) => !one.includes('*'));
  const href = completeAddress(shown, host, location);
  const problem =
    shown.trim() === ''
      ? undefined
      : href === undefined
        ? texts.problem
        : hasWildcard(href)
          ? texts.wildcard
          : undefined;
  return {
    typed: shown,
    type: (next) => next !== shown && type(next),
    href: problem === undefined ? href : undefined,
    problem,
    remember: () => href !== undefined && setLast(href),
  };
}

/** Paths that users have visited have `*` in place of IDs. */
const hasWildcard = (href: string) => new URL(href).pathname.includes('*');

export function PageView({ page }: { page: ChosenPage }) {
  return (
    <AddressField
      label={texts.label}
      help={texts.help}
      value={page.typed}
      onChange={page.type}
      placeholder={texts.placeholder}
      error={page.problem}
      isWhole
    />
  );
}
