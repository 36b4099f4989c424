import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

interface LoadMoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label: string;
  /** The number of rows, in words. */
  children: ReactNode;
}

/** The count and the button below a list that is loaded page by page. */
export function LoadMore({ list, label, children }: LoadMoreProps) {
  return (
    <>
      {list.hasNextPage && (
        <Button isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
          {label}
        </Button>
      )}
      <p role="status" className="text-13 text-soft">
        {children}
      </p>
    </>
  );
}
