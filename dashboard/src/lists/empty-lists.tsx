import { useLocation } from 'wouter';
import { Button } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface EmptyProps {
  title: string;
  text: string;
  action: string;
}

/** Shown when a search has no results. */
export function NothingFound({ title, text, action, onClear }: EmptyProps & { onClear: () => void }) {
  return (
    <EmptyState
      picture={<Drawing of="nothingFound" />}
      title={title}
      action={<Button onPress={onClear}>{action}</Button>}
    >
      {text}
    </EmptyState>
  );
}

/** Shown when a list is empty because the script is not installed yet. */
export function NothingSent({ title, text, action, drawing }: EmptyProps & { drawing: 'people' | 'companies' }) {
  const [, navigate] = useLocation();
  const install = (
    <Button look="primary" onPress={() => navigate('/app/settings/install')}>
      {action}
    </Button>
  );
  return (
    <EmptyState picture={<Drawing of={drawing} />} title={title} action={install}>
      {text}
    </EmptyState>
  );
}
