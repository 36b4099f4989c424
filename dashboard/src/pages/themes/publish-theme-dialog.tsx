import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { diffThemes, sortTheme, type Theme, type ThemeDocument } from '@usher/domain';
import type { NetChange, Pair as ValuePair } from '@usher/domain/sentences';
import { useMemo } from 'react';
import { api, type ParamsOf } from '../../api/api.ts';
import { listQuery } from '../../api/list.ts';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { SentenceList } from '../../changes/change-sentences.tsx';
import { sentencesOf } from '../../changes/sentences.ts';
import { useNames } from '../../changes/use-names.ts';
import * as text from '../../messages/text.ts';
import { readThemes } from '../../themes/themes-query.ts';
import { usePublishedTheme } from '../../themes/use-preview-theme.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ProblemList } from './problem-list.tsx';
import { ThemePictures } from './theme-pictures.tsx';
import { useThemeActions } from './use-theme-actions.ts';
import type { ThemeEditor } from './use-theme-editor.ts';

const texts = text.themes.publish;
const PAGE_SIZE = 20;
const MAX_THEMES = 100;

/** What changes live Experiences. */
export type ThemeVerb = 'publish' | 'unpublish' | 'makeDefault';

interface PublishThemeDialogProps {
  verb: ThemeVerb;
  id: string;
  name: string;
  /** The editor of the theme, where it is open. */
  editor?: ThemeEditor;
  onClose: () => void;
}

const onceLoaded = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false, refetchOnWindowFocus: false };

/** The only way to change what a theme does to live Experiences. It says what changes, and on which, before and after. */
export function PublishThemeDialog({ verb, id, name, editor, onClose }: PublishThemeDialogProps) {
  // Loaded once, after the editor has saved: the dialog does exactly what it shows.
  const plan = useQuery({
    queryKey: ['publish-theme', id],
    queryFn: async () => {
      if (editor && !(await editor.save())) throw new Error(text.publish.notSaved.text);
      const themes = readThemes(await api('GET /v3/edit/themes', { limit: MAX_THEMES })) ?? [];
      const { theme } = await api('GET /v3/edit/themes/{id}', { id });
      return { theme: theme as unknown as Theme, standard: themes.find((one) => one.default && one.id !== id) };
    },
    ...onceLoaded,
  });
  const send = useSend('PATCH /v3/edit/themes/{id}', ['experiences', 'kinds', 'live']);
  const { resume } = useThemeActions();
  const theme = plan.data?.theme;
  const isUpToDate = theme !== undefined && theme.published_at !== null && !theme.has_unpublished_changes;
  const isBlocked = verb === 'publish' && (isUpToDate || (editor?.problems.length ?? 0) > 0);
  const submit = () => {
    if (!theme) return;
    const params: Record<ThemeVerb, Omit<ParamsOf<'PATCH /v3/edit/themes/{id}'>, 'id'>> = {
      publish: { published_at: '$now', updated_at: theme.updated_at },
      unpublish: { published_at: null },
      makeDefault: { default: true },
    };
    send.mutate(
      { id, ...params[verb] },
      {
        onSuccess: ({ theme: changed }) => {
          editor?.receive(changed as unknown as Theme);
          const onUndo = () => void resume({ id }, editor?.receive);
          const { title, help } = texts.done[verb];
          showToast({
            title: title(theme.name),
            ...(help !== undefined && { description: help }),
            ...(verb === 'unpublish' && { onUndo }),
          });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="large"
      title={texts.titles[verb](name)}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="primary" isPending={send.isPending} isDisabled={!theme || isBlocked} onPress={submit}>
            {texts.actions[verb]}
          </Button>
        </>
      }
    >
      <ErrorNotice error={plan.error ?? send.error} />
      {verb === 'publish' && editor && <ProblemList editor={editor} />}
      {!plan.data && !plan.error && <Skeleton height={160} />}
      {plan.data && <Plan verb={verb} {...plan.data} />}
    </Dialog>
  );
}

/** @param standard The default theme, if it is another one. */
function Plan({ verb, theme, standard }: { verb: ThemeVerb; theme: Theme; standard: Theme | undefined }) {
  const published = usePublishedTheme(theme);
  const publishedDefault = usePublishedTheme(standard);
  const [before, after] = {
    publish: [published, theme],
    unpublish: [published, undefined],
    makeDefault: [publishedDefault, published],
  }[verb];
  // The published states are loaded.
  const isLoading = [theme, verb === 'makeDefault' ? standard : undefined].some(
    (one, at) => one !== undefined && one.published_at !== null && ![published, publishedDefault][at],
  );
  if (isLoading) return <Skeleton height={160} />;
  return (
    <>
      <section className="flex flex-col gap-2">
        <h3 className="text-13 font-medium text-soft">{texts.changes}</h3>
        {verb === 'publish' && <PublishedChanges theme={theme} published={published} />}
        {verb === 'unpublish' && <p className="text-14">{texts.loses}</p>}
        {verb === 'makeDefault' && <p className="text-14">{texts.inherits(standard?.name)}</p>}
        {verb === 'makeDefault' && !published && <p className="text-14">{texts.notYet}</p>}
      </section>
      <LiveExperiences verb={verb} id={theme.id} before={before} after={after} />
    </>
  );
}

function PublishedChanges({ theme, published }: { theme: Theme; published: ThemeDocument | undefined }) {
  if (!published) return <p className="text-14">{texts.first}</p>;
  if (!theme.has_unpublished_changes) return <p className="text-14">{texts.nothing}</p>;
  return <Sentences before={published} after={theme} />;
}

function Sentences({ before, after }: { before: ThemeDocument; after: Theme }) {
  const changes = useMemo(() => {
    const { published_at, default: isDefault } = after;
    return diffThemes(after.id, { ...before, published_at, default: isDefault }, sortTheme(after)).map(
      (change): NetChange => ({
        op: 'update',
        modelId: after.id,
        place: { type: 'experience' },
        fields: change.object as Record<string, ValuePair>,
      }),
    );
  }, [before, after]);
  const named = useMemo(() => changes.map(({ fields }) => ({ path: '', object: fields })), [changes]);
  const nameOf = useNames(named);
  return <SentenceList sentences={sentencesOf(changes, 'theme', nameOf)} />;
}

interface LiveExperiencesProps {
  verb: ThemeVerb;
  id: string;
  before: ThemeDocument | undefined;
  after: ThemeDocument | undefined;
}

function LiveExperiences({ verb, id, before, after }: LiveExperiencesProps) {
  const inherited = verb === 'makeDefault';
  const list = useInfiniteQuery({
    ...listQuery('GET /v3/edit/themes/{id}/experiences', {
      id,
      live: true,
      limit: PAGE_SIZE,
      ...(inherited && { inherited }),
    }),
    ...onceLoaded,
  });
  if (!list.data) return list.error ? <ErrorNotice error={list.error} /> : <Skeleton height={160} />;
  // Of the others, only the draft has the theme.
  const live = list.data.pages.flatMap(({ experiences }) => experiences).filter((one) => one.is_published);
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-13 font-medium text-soft">{texts.live}</h3>
      {live.length === 0 && !list.hasNextPage && <p className="text-14">{texts.noLive}</p>}
      <ul className="flex flex-wrap gap-x-3 gap-y-1 text-14 empty:hidden">
        {live.map((one) => (
          <li key={one.id}>
            <Link href={`/app/experiences/${one.id}`}>
              <bdi>{one.name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          size="small"
          className="self-start"
          isPending={list.isFetchingNextPage}
          onPress={() => void list.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
      <ThemePictures experiences={live} before={before} after={after} />
    </section>
  );
}
