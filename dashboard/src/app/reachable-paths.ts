import { createContext, useContext } from 'react';

/**
 * The paths of the pages that exist and that the person may open. The frame provides them, because pages cannot import
 * the routes.
 */
export const ReachablePaths = createContext<readonly string[]>([]);

export function useIsReachable(): (path: string) => boolean {
  const paths = useContext(ReachablePaths);
  return (path) => paths.includes(path);
}
