import { useQuery } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain';
import { query } from '../../../api/queries.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import * as text from '../../../messages/text.ts';
import { ComboBox } from '../../../ui/combo-box.tsx';

const texts = text.content;

interface CampaignFieldProps {
  kind: 'tour' | 'survey';
  value: string | null;
  onChange: (id: string) => void;
  error?: string | undefined;
  isDisabled: boolean;
  'data-field'?: string;
}

/** Chooses the tour or survey that starts. */
export function CampaignField({ kind, value, onChange, ...props }: CampaignFieldProps) {
  const { data } = useQuery(query('GET /v3/edit/{kind}', { kind: pathOfKind(kind), limit: 500, archived: false }));
  const found = (data?.[pathOfKind(kind)] ?? []) as ShownExperience[];
  return (
    <ComboBox
      {...props}
      label={texts.campaign[kind]}
      options={found.map(({ id, name, state }) => ({ value: id, label: name, description: text.states[state] }))}
      value={found.some(({ id }) => id === value) ? value : null}
      onChange={(id) => id !== null && onChange(id)}
    />
  );
}
