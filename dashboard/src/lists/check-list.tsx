import { Checkbox } from '../ui/choice.tsx';

interface CheckListProps {
  label: string;
  help: string;
  /** Undefined while they are loaded. */
  options: readonly { id: string; name: string }[] | undefined;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** What to say without any. */
  none: string;
  isDisabled?: boolean;
}

/** A checkbox for each of a few records. The order of the IDs is the order in which they were chosen. */
export function CheckList({ label, help, options, value, onChange, none, isDisabled = false }: CheckListProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-13 font-medium">{label}</legend>
      <p className="text-13 text-soft">{help}</p>
      {options?.length === 0 && <p className="text-13 text-soft">{none}</p>}
      {options?.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          isDisabled={isDisabled}
          isSelected={value.includes(id)}
          onChange={(isSelected) => onChange(isSelected ? [...value, id] : value.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );
}
