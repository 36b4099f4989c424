import { reachMeasures } from '@usher/domain';
import type { ResponseOf } from '../../api/api.ts';
import { formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import type { SeriesLook } from '../../ui/chart/series.tsx';
import { SmallBars } from '../../ui/chart/small-bars.tsx';
import { Difference, Tile } from './tile.tsx';

export type Reach = ResponseOf<'GET /v3/analyze/reach'>['reach'];
export type Measure = keyof Reach['totals'];

const texts = text.analytics;

/** As in the results of an Experience. */
export const looks: Readonly<Record<Measure, SeriesLook>> = { shown: 5, started: 1, completed: 2 };

/** The totals of the period, each with a small chart. */
export function ReachTiles({ reach }: { reach: Reach }) {
  const { totals, before, days } = reach;
  return (
    <ul aria-label={texts.overview.tiles} className="grid gap-3 sm:grid-cols-3">
      {reachMeasures.map((measure) => (
        <Tile
          key={measure}
          label={texts.measures[measure]}
          value={totals[measure]}
          note={measure !== 'shown' && totals.shown > 0 ? formatPercent(totals[measure] / totals.shown) : undefined}
        >
          <Difference now={totals[measure]} before={before.totals[measure]} />
          <SmallBars values={days.map((day) => day[measure])} look={looks[measure]} />
        </Tile>
      ))}
    </ul>
  );
}
