import { Search } from 'lucide-react';
import { TextField } from '../ui/text-field.tsx';
import { useTyped } from './use-typed.ts';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  /** Called when nothing else is typed for a moment. */
  onChange: (text: string) => void;
  className?: string;
}

export function SearchField({ label, placeholder, value, onChange, className = '' }: SearchFieldProps) {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <TextField
      label={label}
      placeholder={placeholder}
      icon={Search}
      type="search"
      value={typed}
      maxLength={255}
      onChange={setTyped}
      autoComplete="off"
      className={className}
    />
  );
}
