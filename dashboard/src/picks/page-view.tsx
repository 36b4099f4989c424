import { useQuery } from '@tanstack/react-query';
import { type QuantifierUrl, SAMPLE_HOST } from '@usher/domain';
import { AddressField, useVisitedPaths } from '../addresses/address-field.tsx';
import { serverUrl } from '../api/installation.ts';
import { query } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { useStoredValue } from '../ui/use-stored-value.ts';
import { completeAddress, type KnownPages, suggestPage } from './page-address.ts';

const texts = text.pick.page;

interface ChosenPage {
  typed: string;
  type: (typed: string) => void;
  /** The whole address, if it can be opened. */
  href: string | undefined;
  problem: string | undefined;
  /** Remembers this page as the initial one for the next time. */
  remember: () => void;
}

/**
 * The page to open: the typed one, else the last one of this Experience or theme, else the one that rules or visits suggest.
 */
export function useChosenPage(
  id: string,
  rules: readonly QuantifierUrl[],
  [typed, type]: [string | null, (typed: string) => void],
): ChosenPage {
  const { account } = useSession();
  const [last, setLast] = useStoredValue(`usher-picked-page-${account.id}-${id}`);
  const known = useKnownPages();
  const shown = typed ?? last ?? suggestPage(rules, known);
  const completed = completeAddress(shown, known);
  const href = 'href' in completed ? completed.href : undefined;
  return {
    typed: shown,
    type: (next) => next !== shown && type(next),
    href,
    problem: 'problem' in completed && shown.trim() !== '' ? texts.problems[completed.problem] : undefined,
    remember: () => href !== undefined && setLast(href),
  };
}

function useKnownPages(): KnownPages {
  const visited = useVisitedPaths();
  const urls = useQuery(query('GET /v3/edit/urls', { limit: 100 })).data?.urls ?? [];
  const installation = useInstalled();
  const domains = urls.filter(({ enabled, host }) => enabled !== 'off' && host !== SAMPLE_HOST).map(({ host }) => host);
  const hasDemo = installation !== undefined && installation.demo_url !== null;
  return { visited, domains, demo: hasDemo ? `${serverUrl(installation)}/demo/` : undefined };
}

/** The hosts where the script was seen. This request does not start recording. */
export function useInstalled() {
  return useQuery({ ...query('GET /v3/analyze/installation'), staleTime: 10_000 }).data?.installation;
}

export function PageView({ page, label, help }: { page: ChosenPage; label: string; help: string }) {
  const isCompleted =
    page.href !== undefined && page.href !== page.typed.trim() && page.href !== `${page.typed.trim()}/`;
  return (
    <AddressField
      label={label}
      help={isCompleted && page.href !== undefined ? texts.opens(page.href) : help}
      value={page.typed}
      onChange={page.type}
      placeholder={texts.placeholder}
      error={page.problem}
      isWhole
    />
  );
}
