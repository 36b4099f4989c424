import { CirclePlus, Equal } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Place } from '../../api/domains.ts';
import type { Environment } from '../../app/environment.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { MoveEffect } from './domain-state.ts';

const { moveDialog: texts, kinds } = text.domains;

interface MoveEffectListProps {
  effect: MoveEffect;
  /** Whether the domain is on. Otherwise its users see nothing, before and after. */
  isOn: boolean;
  from: Environment | null;
  target: Environment | null;
  /** The other domains of the new Environment that are on. */
  otherHosts: readonly string[];
  taken: ReadonlySet<string>;
  onTake: (ids: ReadonlySet<string>) => void;
  mayTake: (place: Place) => boolean;
}

/** Shows what users see before and after, and which Experiences can be taken along. */
export function MoveEffectList({
  effect,
  isOn,
  from,
  target,
  otherHosts,
  taken,
  onTake,
  mayTake,
}: MoveEffectListProps) {
  const { stays, starts, stops } = effect;
  const stopping = stops.filter(({ state }) => state === 'live');
  const after = stays.length + starts.length + stopping.filter(({ id }) => taken.has(id)).length;
  const before = stays.length + stopping.length;
  const takeable = stops.filter(mayTake);
  const toggle = (id: string, isTaken: boolean) => {
    const next = new Set(taken);
    if (isTaken) next.add(id);
    else next.delete(id);
    onTake(next);
  };
  if (before + after + stops.length === 0) return <p className="text-soft">{texts.nothing}</p>;
  return (
    <div className="flex flex-col gap-4">
      {isOn && (
        <p aria-live="polite" className="text-14 font-medium">
          {texts.before(before)}, {texts.after(after)}
        </p>
      )}
      {stops.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-13 font-medium">{from ? texts.stops(from.name) : texts.stopsWithout}</legend>
          {takeable.length > 1 && (
            <Checkbox
              label={texts.takeAll}
              isSelected={takeable.every(({ id }) => taken.has(id))}
              isIndeterminate={takeable.some(({ id }) => taken.has(id)) && !takeable.every(({ id }) => taken.has(id))}
              onChange={(all) => onTake(new Set(all ? takeable.map(({ id }) => id) : []))}
            />
          )}
          <ul className="flex max-h-64 flex-col overflow-auto rounded-6 border border-line">
            {stops.map((place) => (
              <Row key={place.id}>
                <div className="min-w-0 flex-1">
                  <Checkbox
                    label={<Name place={place} />}
                    isSelected={taken.has(place.id)}
                    isDisabled={!mayTake(place)}
                    onChange={(isTaken) => toggle(place.id, isTaken)}
                  />
                </div>
                {place.state !== 'live' ? (
                  <Badge>{text.states[place.state]}</Badge>
                ) : taken.has(place.id) ? (
                  <Badge tone="good">{texts.staysWord}</Badge>
                ) : (
                  <Badge tone="warn">{texts.stopsWord}</Badge>
                )}
              </Row>
            ))}
          </ul>
          {takeable.length < stops.length && <p className="text-13 text-soft">{texts.mayNotPublish}</p>}
          {taken.size > 0 && target && otherHosts.length > 0 && (
            <Notice kind="warning">{texts.spread(target.name, listHosts(otherHosts))}</Notice>
          )}
        </fieldset>
      )}
      <List
        title={texts.starts}
        icon={<CirclePlus size={16} aria-hidden className="shrink-0 text-good" />}
        places={starts}
      />
      <List title={texts.stays} icon={<Equal size={16} aria-hidden className="shrink-0 text-faint" />} places={stays} />
    </div>
  );
}

const MAX_HOSTS = 3;

function listHosts(hosts: readonly string[]): string {
  const named = hosts.slice(0, MAX_HOSTS).join(', ');
  return hosts.length > MAX_HOSTS ? `${named} ${texts.other(hosts.length - MAX_HOSTS)}` : named;
}

function List({ title, icon, places }: { title: string; icon: ReactNode; places: readonly Place[] }) {
  if (places.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-13 font-medium">{title}</h3>
      <PlaceList icon={icon} places={places} />
    </section>
  );
}

/** The names of Experiences with their kinds. */
export function PlaceList({ icon, places }: { icon?: ReactNode; places: readonly Place[] }) {
  return (
    <ul
      // A long list scrolls, so it must be reachable by keyboard.
      tabIndex={places.length > 6 ? 0 : undefined}
      className="flex max-h-60 flex-col overflow-auto rounded-6 border border-line"
    >
      {places.map((place) => (
        <Row key={place.id}>
          {icon}
          <Name place={place} />
        </Row>
      ))}
    </ul>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <li className="flex min-h-9 items-center gap-2.5 border-line px-3 py-1 not-last:border-b">{children}</li>;
}

function Name({ place }: { place: Place }) {
  return (
    <span className="flex min-w-0 flex-1 items-baseline gap-2">
      <bdi className="truncate">{place.name}</bdi>
      <span className="shrink-0 text-12 text-soft">{kinds[place.kind]}</span>
    </span>
  );
}
