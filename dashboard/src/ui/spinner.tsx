import { LoaderCircle } from 'lucide-react';

export function Spinner({ size = 16 }: { size?: 16 | 20 }) {
  return <LoaderCircle size={size} aria-hidden className="animate-spin" />;
}
