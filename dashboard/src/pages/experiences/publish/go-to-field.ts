import { useLocation } from 'wouter';
import { addressOfField } from '../../../fields/targeting-fields.ts';

/**
 * Opens the page of a field such as `steps.0.title`, which gets the focus there. Undefined for a field that no page
 * shows.
 */
export function useGoToField(id: string): (path: string) => (() => void) | undefined {
  const [, navigate] = useLocation();
  return (path) => {
    const address = addressOfField(id, path);
    return address === undefined ? undefined : () => navigate(address);
  };
}
