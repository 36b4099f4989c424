import { useLocation } from 'wouter';
import { Button } from '../ui/button.tsx';
import { EmptyState, ListPicture } from '../ui/empty-state.tsx';

interface EmptyProps {
  title: string;
  text: string;
  action: string;
}

/** A search that found nothing. */
export function NothingFound({ title, text, action, onClear }: EmptyProps & { onClear: () => void }) {
  return (
    <EmptyState picture={<ListPicture />} title={title} action={<Button onPress={onClear}>{action}</Button>}>
      {text}
    </EmptyState>
  );
}

/** A list that fills once the script is installed. */
export function NothingSent({ title, text, action }: EmptyProps) {
  const [, navigate] = useLocation();
  const install = (
    <Button look="primary" onPress={() => navigate('/app/settings/install')}>
      {action}
    </Button>
  );
  return (
    <EmptyState picture={<ListPicture />} title={title} action={install}>
      {text}
    </EmptyState>
  );
}
