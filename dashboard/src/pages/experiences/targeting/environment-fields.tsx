import { useQuery } from '@tanstack/react-query';
import { environmentsQuery } from '../../../app/environment.ts';
import { EnvironmentBadge } from '../../../app/environment-badge.tsx';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { Link } from '../../../ui/link.tsx';

const texts = text.targeting.environments;

/** Where the Experience shows: in the chosen Environments, or in all of them. */
export function EnvironmentFields({ editor }: { editor: Editor }) {
  const { data } = useQuery(environmentsQuery);
  const ids = editor.document.url_group_ids;
  const fields = fieldsOf(editor, '', editor.document);
  const shown = (data?.url_groups ?? []).filter(({ id, archived_at }) => archived_at === null || ids.includes(id));
  const set = (id: string, isOn: boolean) =>
    fields.set({ url_group_ids: isOn ? [...ids, id] : ids.filter((one) => one !== id) });
  return (
    <div className="flex flex-col gap-2" {...fieldMark('', 'url_group_ids')}>
      {shown.map((environment) => (
        <Checkbox
          key={environment.id}
          label={<EnvironmentBadge environment={environment} />}
          isSelected={ids.includes(environment.id)}
          onChange={(isOn) => set(environment.id, isOn)}
          isDisabled={editor.isReadOnly}
        />
      ))}
      {data && shown.length === 0 && (
        <p className="text-14 text-soft">
          {texts.none} <Link href="/app/domains">{texts.manage}</Link>
        </p>
      )}
    </div>
  );
}
