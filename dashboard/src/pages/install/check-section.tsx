import { Check, CircleCheck, ExternalLink, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type Installation, serverUrl } from '../../api/installation.ts';
import { useSession } from '../../api/session.ts';
import { deviceName } from '../../messages/device-name.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type CheckState, findCheckState, findSteps } from './check-state.ts';
import { shorten } from './shorten.ts';
import { TurnOnButton } from './turn-on-button.tsx';

const { check, help } = text.install;

/** Shows whether the script works: it waits for a page load, and says what to do if none comes. */
export function CheckSection({ installation }: { installation: Installation }) {
  const state = findCheckState(installation);
  const { demo_url } = installation;
  const works = state.is === 'works';
  return (
    <section
      aria-label={check.title}
      className={cx(
        'flex flex-col gap-4 rounded-10 border p-5 transition-colors',
        works ? 'border-good/40 bg-good-tint' : 'border-line bg-surface',
      )}
    >
      <div role="status" className="flex items-start gap-3">
        <StateIcon state={state} />
        <div className="flex min-w-0 flex-1 flex-col gap-0.5">
          <p className="text-16 font-semibold">{titleOf(state)}</p>
          <div className="text-14 text-soft">
            <Details state={state} />
          </div>
        </div>
      </div>
      <div className="flex flex-col gap-4 empty:hidden sm:pl-8">
        {state.is === 'off' && <TurnOn host={state.host} urlId={state.urlId} />}
        {works && <NextStep />}
        {!works && <Steps installation={installation} />}
        {demo_url !== null && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-13 text-soft">
            <Link href={`${serverUrl(installation)}/demo/`} className="inline-flex items-center gap-1.5 font-medium">
              <ExternalLink size={16} aria-hidden />
              {check.openDemo}
            </Link>
            {!works && check.demoHelp}
          </div>
        )}
        {!works && <Help token={installation.account_token} />}
      </div>
    </section>
  );
}

/** Offers the next step when the script works. */
function NextStep() {
  const { can } = useSession();
  const [, navigate] = useLocation();
  if (!can('edit')) return null;
  return (
    <div>
      <Button look="primary" onPress={() => navigate('/app/experiences?dialog=new')}>
        {check.next}
      </Button>
    </div>
  );
}

function StateIcon({ state }: { state: CheckState }) {
  if (state.is === 'works') return <CircleCheck size={20} aria-hidden className="mt-0.5 shrink-0 text-good" />;
  if (state.is === 'off' || state.is === 'rejected')
    return <TriangleAlert size={20} aria-hidden className="mt-0.5 shrink-0 text-warn" />;
  return (
    <span className="mt-0.5 shrink-0 text-accent">
      <Spinner size={20} />
    </span>
  );
}

function titleOf(state: CheckState): string {
  if (state.is === 'works') return check.works(state.host);
  if (state.is === 'off') return check.off(state.host);
  if (state.is === 'rejected') return check.rejected(state.host);
  return state.is === 'script' ? check.scriptLoaded(state.host) : check.waiting;
}

function Details({ state }: { state: CheckState }): ReactNode {
  if (state.is === 'waiting') return check.waitingHelp;
  if (state.is === 'script') return check.scriptLoadedHelp;
  if (state.is === 'off') return check.offHelp;
  if (state.is === 'rejected')
    return state.messages.map((message) => <p key={message}>{message.replaceAll('`', '')}</p>);
  const { entry, at } = state;
  return (
    <>
      {entry ? check.worksNow(shorten(entry.uid ?? ''), deviceName(entry.user_agent)) : check.worksBefore}
      {', '}
      <RelativeTime time={at} />
    </>
  );
}

function TurnOn({ host, urlId }: { host: string; urlId: string | null }) {
  const { can } = useSession();
  if (urlId === null || !can('edit')) return <p className="text-13 text-soft">{check.askOwner}</p>;
  return (
    <div>
      <TurnOnButton host={host} urlId={urlId} look="primary" />
    </div>
  );
}

/** The three conditions of a working page. */
function Steps({ installation }: { installation: Installation }) {
  const steps = findSteps(installation);
  return (
    <ol className="flex flex-wrap gap-x-6 gap-y-2 text-13">
      {(['script', 'domain', 'user'] as const).map((name) => (
        <li key={name} className={cx('flex items-center gap-2', steps[name] ? 'text-ink' : 'text-soft')}>
          <span
            className={cx(
              'grid size-4 place-items-center rounded-full border',
              steps[name] ? 'border-good bg-good text-surface' : 'border-edge',
            )}
          >
            {steps[name] && <Check size={12} strokeWidth={3} aria-hidden />}
          </span>
          {check.steps[name]}
          <span className="sr-only">: {steps[name] ? check.done : check.open}</span>
        </li>
      ))}
    </ol>
  );
}

const HELP_DELAY_MS = 30_000;

/** Help that opens automatically when no page load has come for a while. */
function Help({ token }: { token: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOpen(true), HELP_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="text-13">
      <summary className="w-fit rounded-4 font-medium text-soft">{help.title}</summary>
      <ul className="flex flex-col gap-2 pt-3">
        {help.items.map((item, index) => (
          <li key={item.title} className="text-soft">
            <strong className="font-medium text-ink">{item.title}</strong> {item.text}
            {index === TOKEN_ITEM && (
              <code className="ml-1 rounded-4 bg-hover px-1 font-mono text-12 whitespace-nowrap">{token}</code>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The item of the list that ends with the token. */
const TOKEN_ITEM = 2;
