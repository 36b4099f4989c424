import type { QueryClient } from '@tanstack/react-query';
import { currentConnection } from '../api/connection.ts';

/** When the server can be reached again, everything on the page is loaded again. */
export function refetchAfterReconnect(client: QueryClient): void {
  if (currentConnection() === 'ok') void client.invalidateQueries();
}
