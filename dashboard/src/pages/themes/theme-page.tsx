import { useQuery } from '@tanstack/react-query';
import type { Theme } from '@usher/domain';
import { Suspense, useEffect, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { EditableHeading } from '../../app/editable-heading.tsx';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { NotFound } from '../../app/not-found.tsx';
import { Page } from '../../app/page.tsx';
import { TabSkeleton } from '../../app/tab-skeleton.tsx';
import { SavingNotices } from '../../changes/saving-notices.tsx';
import { SavedState } from '../../editor/saved-state.tsx';
import { UndoButtons } from '../../editor/undo-buttons.tsx';
import { useUndoKeys } from '../../editor/use-undo-keys.ts';
import { ManagedNotice } from '../../files/managed-notice.tsx';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { TabNav } from '../../ui/tab-nav.tsx';
import { ProblemList } from './problem-list.tsx';
import { stateOfTheme } from './state-of-theme.ts';
import { ThemeActions } from './theme-actions.tsx';
import { ThemeLook } from './theme-look.tsx';
import { ThemePreview } from './theme-preview.tsx';
import { themeTabs } from './theme-tabs.ts';
import { type ThemeEditor, useThemeEditor } from './use-theme-editor.ts';

const texts = text.themes;
const ThemeHistory = lazyComponent(() => import('./theme-history.tsx').then((module) => module.ThemeHistory));
const ThemeVariations = lazyComponent(() => import('./theme-variations.tsx').then((module) => module.ThemeVariations));
const ClashDialog = lazyComponent(() => import('../../changes/clash-dialog.tsx').then((module) => module.ClashDialog));

/** How often the page checks whether somebody else has changed something. */
const LOOK_AGAIN_MS = 10_000;

/** One theme: its fields at the left, and all kinds of Experiences with it at the right. */
export default function ThemePage({ params: { id = '', tab = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery({
    ...query('GET /v3/edit/themes/{id}', { id }),
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnWindowFocus: 'always',
  });
  const isGone = error instanceof ApiError && error.status === 404;
  if (!themeTabs.some(({ path }) => path === tab)) return <NotFound />;
  if (data) return <OpenTheme theme={data.theme as unknown as Theme} tab={tab} isGone={isGone} />;
  if (isGone)
    return (
      <FullPageMessage title={texts.gone.title} action={<Link href="/app/themes">{texts.gone.action}</Link>}>
        {texts.gone.text}
      </FullPageMessage>
    );
  if (!error) return <PageSkeleton label={text.frame.loadingPage} />;
  return (
    <Page title={text.titles.theme}>
      <ErrorNotice error={error} />
    </Page>
  );
}

function OpenTheme({ theme, tab, isGone }: { theme: Theme; tab: string; isGone: boolean }) {
  const editor = useThemeEditor(theme, isGone);
  if (!editor) return <PageSkeleton label={text.frame.loadingPage} />;
  return <EditedTheme theme={theme} editor={editor} tab={tab} />;
}

function EditedTheme({ theme, editor, tab }: { theme: Theme; editor: ThemeEditor; tab: string }) {
  const [isClashOpen, setClashOpen] = useState(true);
  const [variation, setVariation] = useState<number>();
  const { isReadOnly, saved, clashes } = editor;
  const save = () => void (!isReadOnly && editor.save());
  useUndoKeys(editor);
  useShortcuts(isReadOnly ? [] : [{ keys: 'mod+s', label: text.editor.saveNow, onPress: save }]);
  // The tab "History" shows what the server has.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab was opened
  useEffect(save, [tab]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="-mx-4 -mt-4 bg-ground px-4 pt-3 md:sticky md:top-[calc(3rem+1px)] md:z-10">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
          <div className="flex min-w-0 items-center gap-1.5">
            <Link href="/app/themes" isQuiet className="shrink-0 text-14 text-soft">
              {texts.title}
            </Link>
            <span aria-hidden className="text-faint">
              /
            </span>
            <EditableHeading
              value={editor.theme.name}
              isReadOnly={isReadOnly}
              onChange={(name) => editor.set({ name })}
            />
          </div>
          <span className="flex flex-wrap items-center gap-2 text-13 text-soft">
            <StateBadge state={stateOfTheme(theme)} />
            {theme.default && <Badge tone="accent">{texts.default}</Badge>}
            {isReadOnly && <span>{text.editor.readOnly}</span>}
          </span>
          {clashes.length > 0 && (
            <Button size="small" look="danger" onPress={() => setClashOpen(true)}>
              {text.editor.clash.open}
            </Button>
          )}
          <ThemeActions theme={theme} editor={editor} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line">
          <TabNav
            label={texts.tabs.label}
            tabs={themeTabs.map(({ path, title }) => ({
              href: `/app/themes/${theme.id}${path && `/${path}`}`,
              title,
              isCurrent: path === tab,
            }))}
          />
          {!isReadOnly && (
            <div className="flex items-center gap-1 pb-1">
              <SavedState saved={saved} hasClash={clashes.length > 0} />
              <UndoButtons {...editor} />
            </div>
          )}
        </div>
      </div>
      <div className="flex flex-col gap-2 pt-2 empty:hidden">
        {saved.kind === 'gone' && <Notice kind="error">{texts.gone.deleted}</Notice>}
        <SavingNotices editor={editor} />
        <ManagedNotice id={theme.id} />
      </div>
      {tab === 'history' ? (
        <Suspense fallback={<TabSkeleton />}>
          <ThemeHistory editor={editor} />
        </Suspense>
      ) : (
        <div className="grid flex-1 grid-cols-1 gap-4 pt-3 md:grid-cols-[20rem_minmax(0,1fr)] lg:grid-cols-[24rem_minmax(0,1fr)]">
          <section aria-label={texts.settings} className="flex min-w-0 flex-col gap-3 pb-6">
            <ProblemList editor={editor} />
            {tab === '' ? (
              <ThemeLook editor={editor} />
            ) : (
              <Suspense fallback={<TabSkeleton />}>
                <ThemeVariations editor={editor} open={variation} onOpen={setVariation} />
              </Suspense>
            )}
          </section>
          <section
            aria-label={texts.preview.title}
            className="min-w-0 self-start overflow-auto rounded-10 border border-line bg-surface max-md:order-first max-md:max-h-[60dvh] md:sticky md:top-40 md:max-h-[calc(100dvh-11rem)]"
          >
            <ThemePreview theme={editor.theme} variation={tab === 'variations' ? variation : undefined} />
          </section>
        </div>
      )}
      <Suspense>
        {clashes.length > 0 && <ClashDialog editor={editor} isOpen={isClashOpen} onClose={() => setClashOpen(false)} />}
      </Suspense>
    </div>
  );
}
