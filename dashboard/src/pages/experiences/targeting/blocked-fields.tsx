import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { domainsQuery } from '../../../api/domains.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';

const texts = text.targeting.blocked;

/** The domains on which the Experience does not show. An import can bring some that the account does not have. */
export function BlockedFields({ editor }: { editor: Editor }) {
  const { data = [] } = useQuery(domainsQuery);
  const fields = fieldsOf(editor, '', editor.document);
  const hosts = editor.document.blocked_domains ?? [];
  const set = (next: string[]) => fields.set({ blocked_domains: next });
  const others = data.filter(({ host, archived_at }) => archived_at === null && !hosts.includes(host));
  return (
    <fieldset aria-label={texts.title} className="flex min-w-0 flex-col gap-1.5" {...fieldMark('', 'blocked_domains')}>
      <h3 className="text-13 font-medium">{texts.title}</h3>
      {hosts.length === 0 && <p className="text-14 text-soft">{texts.none}</p>}
      <ul className="flex flex-col gap-1 empty:hidden">
        {hosts.map((host) => (
          <li key={host} className="flex min-h-8 items-center gap-2 rounded-6 border border-line py-0.5 pr-0.5 pl-2.5">
            <bdi className="min-w-0 flex-1 truncate">{host}</bdi>
            {!editor.isReadOnly && (
              <IconButton
                icon={X}
                size="small"
                label={texts.remove(host)}
                onPress={() => set(hosts.filter((one) => one !== host))}
              />
            )}
          </li>
        ))}
      </ul>
      {!editor.isReadOnly && others.length > 0 && (
        <ComboBox
          // The key empties the field after it has added a domain.
          key={hosts.join()}
          label={texts.add}
          placeholder={texts.add}
          options={others.map(({ host }) => ({ value: host, label: host }))}
          value={null}
          onChange={(host) => host !== null && set([...hosts, host])}
          className="[&>:first-child]:sr-only"
        />
      )}
    </fieldset>
  );
}
