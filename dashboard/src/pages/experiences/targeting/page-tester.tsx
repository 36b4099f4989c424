import type { QuantifierUrl } from '@usher/domain';
import { CircleCheck, CircleX } from 'lucide-react';
import { AddressField, useVisitedPaths } from '../../../addresses/address-field.tsx';
import { matchPage, type PageMatch, toHref } from '../../../addresses/match-pages.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Fold } from '../../../ui/fold.tsx';

const texts = text.targeting.tester;
const MAX_SHOWN = 20;

interface PageTesterProps {
  rules: readonly QuantifierUrl[];
  typed: string;
  onType: (typed: string) => void;
}

/** Tests the page rules with a typed address, and with the pages that users have really visited. */
export function PageTester({ rules, typed, onType }: PageTesterProps) {
  const visited = useVisitedPaths();
  const href = toHref(typed, visited[0]?.host);
  const match = href === undefined ? undefined : matchPage(rules, href);
  const tested = visited
    .slice(0, MAX_SHOWN)
    .map((one) => ({ ...one, fits: matchPage(rules, `https://${one.host}${one.path}`).fits }));
  const fitting = tested.filter(({ fits }) => fits).length;
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-3">
      <AddressField
        label={texts.label}
        value={typed}
        onChange={onType}
        placeholder={texts.placeholder}
        isWhole
        error={typed.trim() !== '' && href === undefined ? texts.problem : undefined}
      />
      <p role="status" className="flex items-center gap-1.5 text-14 wrap-anywhere empty:hidden">
        {match && <Mark fits={match.fits} />}
        {match && describe(match, rules)}
      </p>
      {tested.length === 0 ? (
        <p className="text-13 text-soft">{texts.noVisits}</p>
      ) : (
        <Fold
          title={
            tested.length === 1
              ? texts.visitedOne(fitting === 1)
              : texts.visited(formatNumber(fitting), formatNumber(tested.length))
          }
        >
          <ul className="flex flex-col gap-1">
            {tested.map(({ host, path, fits }) => (
              <li key={`${host}${path}`} className="flex items-center gap-1.5 text-13 wrap-anywhere">
                <Mark fits={fits} label={fits ? texts.fits : texts.fitsNot} />
                <span>
                  <span className="text-soft">{host}</span>
                  {path}
                </span>
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}

function Mark({ fits, label }: { fits: boolean; label?: string }) {
  const Icon = fits ? CircleCheck : CircleX;
  return (
    <Icon
      size={16}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={fits ? 'shrink-0 text-good' : 'shrink-0 text-faint'}
    />
  );
}

function describe({ fits, by }: PageMatch, rules: readonly QuantifierUrl[]): string {
  const rule = by === undefined ? undefined : rules[by];
  const name = rule && `“${text.targeting.pages.types[rule.match_type].name} ${rule.url}”`;
  if (fits) return name ? texts.yesBecause(name) : texts.yes;
  return name ? texts.except(name) : texts.none;
}
