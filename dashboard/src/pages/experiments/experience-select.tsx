import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import * as text from '../../messages/text.ts';
import { ComboBox } from '../../ui/combo-box.tsx';

interface ExperienceSelectProps {
  label: string;
  help?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  isDisabled?: boolean;
}

/** Chooses an Experience by its name. */
export function ExperienceSelect({ value, onChange, ...props }: ExperienceSelectProps) {
  const { data } = useQuery(query('GET /v3/edit/experiences', { limit: 500 }));
  const options = (data?.experiences ?? []).map(({ id, name }) => ({
    value: id,
    label: name || text.experiencePicker.untitled,
  }));
  return <ComboBox {...props} value={value} onChange={onChange} options={options} placeholder={text.ui.typeToSearch} />;
}
