import { Section } from '../../app/page.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';

const WEBHOOK_DAYS = 30;
const COUNT_DAYS = 30;
const SESSION_DAYS = 60;

/** What the server removes automatically, and what stays. */
export function Retention({ eventsDays }: { eventsDays: number }) {
  const { title, intro, what, kept, stays, days, forever, rows } = text.account.retention;
  const list = [
    { ...rows.events, kept: days(formatNumber(eventsDays)) },
    { ...rows.webhooks, kept: days(formatNumber(WEBHOOK_DAYS)) },
    { ...rows.counts, kept: days(formatNumber(COUNT_DAYS)) },
    { ...rows.sessions, kept: days(formatNumber(SESSION_DAYS)) },
    { ...rows.rest, kept: forever },
  ];
  return (
    <Section title={title} intro={intro}>
      <table className="w-full text-left text-13">
        <thead className="text-12 text-soft">
          <tr className="border-b border-line">
            <th className="py-1.5 pr-4 font-medium">{what}</th>
            <th className="py-1.5 pr-4 font-medium">{kept}</th>
            <th className="py-1.5 font-medium @max-lg:hidden">{stays}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((row) => (
            <tr key={row.what} className="border-line align-top not-last:border-b">
              <td className="py-2 pr-4">{row.what}</td>
              <td className="py-2 pr-4 @lg:whitespace-nowrap">{row.kept}</td>
              <td className="py-2 text-soft @max-lg:hidden">{row.stays}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
