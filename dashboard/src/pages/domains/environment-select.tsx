import type { Environment } from '../../app/environment.ts';
import { EnvironmentMark } from '../../app/environment-badge.tsx';
import * as text from '../../messages/text.ts';
import { Select } from '../../ui/select.tsx';

const NONE = 'none';

interface EnvironmentSelectProps {
  label: string;
  environments: readonly Environment[];
  /** An Environment that does not exist yet. */
  proposed?: { id: string; name: string };
  /** Null is no Environment; undefined is nothing chosen yet. */
  value: string | null | undefined;
  onChange: (id: string | null) => void;
  /** The current Environment, which cannot be chosen again. */
  without?: string | null | undefined;
  autoFocus?: boolean;
}

export function EnvironmentSelect({
  environments,
  proposed,
  value,
  onChange,
  without,
  ...props
}: EnvironmentSelectProps) {
  const options = [
    ...environments.map((one) => ({
      value: one.id,
      label: one.name,
      mark: <EnvironmentMark environment={one} />,
    })),
    ...(proposed ? [{ value: proposed.id, label: text.environments.proposed(proposed.name) }] : []),
    { value: NONE, label: text.environments.none, mark: <EnvironmentMark environment={null} /> },
  ];
  return (
    <Select
      {...props}
      options={options.filter((option) => without === undefined || option.value !== (without ?? NONE))}
      value={value === null ? NONE : (value ?? null)}
      onChange={(chosen) => onChange(chosen === NONE ? null : chosen)}
    />
  );
}
