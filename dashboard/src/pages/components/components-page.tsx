import { Bell, Copy, Globe, Pencil, Plus, Search, Settings, Trash2 } from 'lucide-react';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import { Page, Section } from '../../app/page.tsx';
import { formatBytes, formatDate, formatNumber, formatPercent } from '../../messages/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, type ButtonLook, IconButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Keys } from '../../ui/keys.tsx';
import { Link } from '../../ui/link.tsx';
import { Logo, LogoMark } from '../../ui/logo.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Popover } from '../../ui/popover.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { PageSkeleton, Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type State, StateBadge } from '../../ui/state-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { setTheme, type Theme, useTheme } from '../../ui/theme.ts';
import { Charts } from './charts.tsx';
import { Colors } from './colors.tsx';
import { Examples } from './examples.tsx';
import { Fields } from './fields.tsx';
import { Overlays } from './overlays.tsx';
import { Tables } from './tables.tsx';

/** Every component of the design system in every state: for development, and for the tests that take pictures of it. */
export default function ComponentsPage() {
  return (
    <main className="mx-auto max-w-6xl px-4 py-8 sm:px-8">
      <Page title="Design system" intro="Every component in every state." actions={<ThemeButtons />}>
        <Section title="Logo">
          <Examples>
            <Logo size={28} />
            <Logo />
            <LogoMark size={40} />
            <LogoMark size={20} />
          </Examples>
        </Section>
        <Colors />
        <Buttons />
        <Fields />
        <Badges />
        <Overlays />
        <Section title="Tabs">
          <Tabs
            label="Example"
            tabs={[
              { id: 'content', label: 'Content', content: 'What users read.' },
              { id: 'targeting', label: 'Targeting', content: 'Who reads it.' },
              { id: 'results', label: 'Results', content: 'What came of it.', isDisabled: true },
            ]}
          />
        </Section>
        <Tables />
        <Charts />
        <Texts />
      </Page>
    </main>
  );
}

function ThemeButtons() {
  const theme = useTheme();
  const themes: Theme[] = ['system', 'light', 'dark'];
  return themes.map((one) => (
    <Button key={one} size="small" look={one === theme ? 'primary' : 'plain'} onPress={() => setTheme(one)}>
      {one}
    </Button>
  ));
}

const looks: ButtonLook[] = ['primary', 'plain', 'quiet', 'danger'];

function Buttons() {
  return (
    <Section title="Buttons">
      {looks.map((look) => (
        <Examples key={look}>
          <Button look={look}>Publish tour</Button>
          <Button look={look} icon={Plus}>
            New tour
          </Button>
          <Button look={look} isDisabled>
            Publish tour
          </Button>
          <Button look={look} isPending>
            Publish tour
          </Button>
          <Button look={look} size="small">
            Publish tour
          </Button>
        </Examples>
      ))}
      <Examples>
        <IconButton icon={Pencil} label="Rename tour" keys="e" />
        <IconButton icon={Settings} label="Open settings" look="plain" />
        <IconButton icon={Trash2} label="Delete tour" size="small" />
        <IconButton icon={Bell} label="Notifications" isDisabled />
        <Link href="/app">A link</Link>
        <Link href="https://example.com">A link to another site</Link>
      </Examples>
    </Section>
  );
}

const states: State[] = ['draft', 'scheduled', 'live', 'changed', 'nowhere', 'paused', 'ended', 'archived'];

const environments = [
  { name: 'Production', short_name: 'PRO', style_short_name_color: 'C62F26' },
  { name: 'Staging', short_name: 'STG', style_short_name_color: '1E90FF' },
  { name: 'Without a color', short_name: 'DEV', style_short_name_color: null },
  { name: 'Without a short name', short_name: null, style_short_name_color: '087F5B' },
];

function Badges() {
  return (
    <Section title="States and badges">
      <Examples>
        {states.map((state) => (
          <StateBadge key={state} state={state} {...(state === 'scheduled' && { time: 'Dec 24' })} />
        ))}
      </Examples>
      <Examples>
        <Badge>Viewer</Badge>
        <Badge tone="accent">Editor</Badge>
        <Badge tone="good">Enabled</Badge>
        <Badge tone="warn">Expires in 3 days</Badge>
        <Badge tone="bad" icon={Globe}>
          Failing
        </Badge>
        {environments.map((environment) => (
          <EnvironmentBadge key={environment.name} environment={environment} />
        ))}
        <EnvironmentBadge environment={null} />
        <Avatar name="Ann Lee" />
        <Avatar name="محمد" />
      </Examples>
    </Section>
  );
}

const fixedTime = Date.UTC(2020, 1, 3, 4, 5);

function Texts() {
  return (
    <>
      <Section title="Notices">
        <Notice title="Your snippet is installed">It was seen on app.example.com.</Notice>
        <Notice kind="done">Everything works.</Notice>
        <Notice kind="warning" title="Pages are trusted" action={<Button size="small">Change setting</Button>}>
          Anybody can change who they are in their browser.
        </Notice>
        <Notice kind="error" title="Somebody changed this meanwhile">
          Load the page again and repeat your change.
        </Notice>
      </Section>
      <Section title="Loading">
        <Examples>
          <Spinner />
          <Spinner size={20} />
        </Examples>
        <Skeleton width="40%" />
        <PageSkeleton label="Loading page…" />
      </Section>
      <Section title="Code">
        <CodeBlock
          label="In your page"
          code={
            '<script async src="https://usher.example.com/script/abc.js"></script>\n<script>usher.identify("42")</script>'
          }
        />
      </Section>
      <Section title="Times, numbers and keys">
        <Examples>
          <RelativeTime time={Date.now() - 5 * 60_000} />
          <RelativeTime time={fixedTime} />
          <span>{formatDate(new Date(fixedTime))}</span>
          <span>{formatNumber(1204)} people in the last 30 days</span>
          <span>{formatPercent(0.125)}</span>
          <span>{formatBytes(3_500_000)}</span>
          <Keys keys="mod+k" />
          <Keys keys="g h" />
        </Examples>
      </Section>
      <Section title="Empty states">
        <EmptyState
          picture={<Drawing of="experiences" />}
          title="No tours yet"
          action={
            <Button look="primary" icon={Plus}>
              New tour
            </Button>
          }
        >
          A tour leads people through your product, step by step.
        </EmptyState>
      </Section>
      <Section title="Menus and popovers">
        <Examples>
          <Menu
            label="Tour"
            trigger={<Button>Open menu</Button>}
            groups={[
              {
                entries: [
                  { id: 'rename', label: 'Rename tour', icon: Pencil, keys: 'e' },
                  { id: 'copy', label: 'Copy tour', description: 'With its translations', icon: Copy },
                  { id: 'search', label: 'Search', icon: Search, isDisabled: true },
                ],
              },
              { entries: [{ id: 'delete', label: 'Delete tour', icon: Trash2, isDanger: true }] },
            ]}
          />
          <Popover label="About" trigger={<Button>Open popover</Button>}>
            <p className="max-w-60">A popover holds what is too much for a tooltip.</p>
          </Popover>
        </Examples>
      </Section>
    </>
  );
}
