import { FileUp } from 'lucide-react';
import { useLocation } from 'wouter';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';

/** Opens the list of imports of people or Companies. */
export function ImportButton({ model }: { model: 'profile' | 'company' }) {
  const [, navigate] = useLocation();
  return (
    <Button icon={FileUp} onPress={() => navigate(model === 'profile' ? '/app/imports' : '/app/imports?of=company')}>
      {text.imports.open}
    </Button>
  );
}
