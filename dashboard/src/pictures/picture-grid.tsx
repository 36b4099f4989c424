import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { listQuery } from '../api/list.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import { NothingFound } from '../lists/empty-lists.tsx';
import { LoadMore } from '../lists/load-more.tsx';
import { SearchField } from '../lists/search-field.tsx';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Spinner } from '../ui/spinner.tsx';
import type { Picture } from './use-picture-upload.ts';

const texts = text.media;
const PAGE_SIZE = 60;

interface PictureGridProps {
  search: string;
  onSearch: (search: string) => void;
  onOpen: (picture: Picture) => void;
  /** Shown if the account has no pictures. */
  empty: ReactNode;
}

/** All pictures of the account, newest first, with a field to search them. Each opens or chooses one. */
export function PictureGrid({ search, onSearch, onOpen, empty }: PictureGridProps) {
  const words = search.trim();
  const params = { limit: PAGE_SIZE, ...(words !== '' && { search: words }) };
  const { data, error, ...list } = useInfiniteQuery(listQuery('GET /v3/edit/pictures', params));
  const pictures = data?.pages.flatMap((page) => page.pictures);
  if (pictures?.length === 0 && words === '') return empty;
  return (
    <div className="flex flex-col gap-4">
      <SearchField
        label={texts.search}
        placeholder={texts.placeholder}
        value={search}
        onChange={onSearch}
        className="max-w-md"
      />
      <ErrorNotice error={error} />
      {!pictures && !error && <Spinner />}
      {pictures?.length === 0 && (
        <NothingFound {...texts.nothingFound} action={texts.clear} onClear={() => onSearch('')} />
      )}
      {pictures && pictures.length > 0 && (
        <>
          <ul aria-label={texts.title} className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-3">
            {pictures.map((picture) => (
              <li key={picture.id}>
                <PictureCard picture={picture} onOpen={() => onOpen(picture)} />
              </li>
            ))}
          </ul>
          <LoadMore list={list} label={texts.more}>
            {texts.count(formatNumber(pictures.length), pictures.length, list.hasNextPage)}
          </LoadMore>
        </>
      )}
    </div>
  );
}

function PictureCard({ picture, onOpen }: { picture: Picture; onOpen: () => void }) {
  const { name, unused_at } = picture;
  return (
    <AriaButton
      onPress={onOpen}
      aria-label={texts.open(name)}
      className="flex w-full flex-col overflow-hidden rounded-10 border border-line bg-surface text-left transition-colors data-hovered:border-edge data-focus-visible:outline-2 data-focus-visible:outline-accent"
    >
      <Thumbnail picture={picture} className="h-28 w-full border-b border-line" />
      <span className="flex min-w-0 flex-col gap-0.5 p-2">
        <bdi className="truncate text-13 font-medium">{name}</bdi>
        <span className="text-12 text-soft">{unused_at === null ? texts.used : texts.unused}</span>
      </span>
    </AriaButton>
  );
}

/** A small picture on a ground that shows where it is transparent. Its name is beside it, so it has no description. */
export function Thumbnail({ picture, className }: { picture: Pick<Picture, 'path'>; className: string }) {
  return (
    <span className={`grid grid-rows-[minmax(0,1fr)] place-items-center bg-ground ${className}`}>
      <img src={picture.path.replace('@2x', '')} alt="" loading="lazy" className="size-full object-scale-down" />
    </span>
  );
}
