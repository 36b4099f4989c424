import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import { auditActionNames } from '../../messages/en/audit-sentences.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import type { Entry } from './describe-entry.ts';
import type { Filters } from './use-filters.ts';

const { filters: texts } = text.auditLog;
const ALL = 'all';

const actionOptions: Option[] = [
  { value: ALL, label: texts.allActions },
  ...Object.entries(auditActionNames).map(([value, label]) => ({ value, label })),
];

interface AuditFiltersProps {
  filters: Filters;
  onChange: (name: keyof Filters, value: string | null) => void;
  onClear: () => void;
  /** The entries on the page. They may name an administrator who has left. */
  entries: readonly Entry[] | undefined;
}

export function AuditFilters({ filters: { action, admin_id }, onChange, onClear, entries }: AuditFiltersProps) {
  const { data } = useQuery(query('GET /v3/edit/admins', { limit: 500 }));
  const people: Option[] = [
    { value: ALL, label: texts.everybody },
    ...(data?.admins ?? []).map(({ id, name, email }) => ({ value: id, label: name, description: email })),
  ];
  if (data && admin_id !== undefined && !people.some(({ value }) => value === admin_id)) {
    const name = entries?.find(({ user }) => user?.id === admin_id)?.user?.name;
    people.push({ value: admin_id, label: name ?? texts.former });
  }
  const choose = (name: keyof Filters) => (value: string) => onChange(name, value === ALL ? null : value);
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        label={texts.action}
        options={actionOptions}
        value={action ?? ALL}
        onChange={choose('action')}
        className="w-56 @max-lg:w-full"
      />
      <Select
        label={texts.person}
        options={people}
        value={admin_id ?? ALL}
        onChange={choose('admin_id')}
        className="w-56 @max-lg:w-full"
      />
      {(action !== undefined || admin_id !== undefined) && (
        <Button look="quiet" onPress={onClear}>
          {texts.clear}
        </Button>
      )}
    </div>
  );
}
