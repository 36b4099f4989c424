import { useQuery } from '@tanstack/react-query';
import { roles as allRoles, hasPermission, permissions } from '@usher/domain';
import { Check, Minus } from 'lucide-react';
import { Section } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { accountQuery } from './publishing.tsx';

const { roleTable } = text.team;
const roles = text.roles;

/** What each role may do, by the rules of the server. */
export function RoleTable() {
  const { data } = useQuery(accountQuery);
  const publishers = data?.account.who_may_publish;
  return (
    <Section title={roleTable.title}>
      <dl className="grid gap-x-6 gap-y-2 text-13 @lg:grid-cols-2">
        {allRoles.map((role) => (
          <div key={role}>
            <dt className="font-medium">{roles[role].name}</dt>
            <dd className="text-soft">{roles[role].help}.</dd>
          </div>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="relative -mx-5 overflow-x-auto px-5" tabIndex={0} aria-label={roleTable.title}>
        <table className="w-full text-13">
          <thead>
            <tr className="border-b border-line text-12 text-soft">
              <th scope="col" className="py-2 text-left font-medium">
                {roleTable.what}
              </th>
              {allRoles.map((role) => (
                <th key={role} scope="col" className="w-20 px-1 py-2 text-center font-medium whitespace-nowrap">
                  {roles[role].name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map((permission) => (
              <tr key={permission} className="border-line not-last:border-b">
                <th scope="row" className="min-w-40 py-2 pr-3 text-left font-normal">
                  {roleTable.permissions[permission]}
                </th>
                {allRoles.map((role) => (
                  <td key={role} className="px-1 py-2 text-center">
                    <Mark isAllowed={hasPermission({ role }, permission, publishers)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

function Mark({ isAllowed }: { isAllowed: boolean }) {
  const Icon = isAllowed ? Check : Minus;
  return (
    <span className={isAllowed ? 'text-good' : 'text-faint'}>
      <Icon size={16} aria-hidden className="inline-block" />
      <span className="sr-only">{isAllowed ? roleTable.yes : roleTable.no}</span>
    </span>
  );
}
