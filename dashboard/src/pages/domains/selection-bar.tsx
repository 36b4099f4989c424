import { X } from 'lucide-react';
import type { Domain } from '../../api/domains.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { domainState } from './domain-state.ts';
import { nameDomains, useChangeDomains } from './use-change-domains.ts';

/** The API changes at most this many domains together. */
const MAX_BATCH = 500;

interface SelectionBarProps {
  domains: readonly Domain[];
  onAssign: (domains: readonly Domain[]) => void;
  onClear: () => void;
}

/** The actions for the selected domains. Each button says how many domains it changes. */
export function SelectionBar({ domains: selected, onAssign, onClear }: SelectionBarProps) {
  const texts = text.domains;
  const change = useChangeDomains();
  const domains = selected.slice(0, MAX_BATCH);
  const inState = (...states: string[]) => domains.filter((domain) => states.includes(domainState(domain)));
  const [off, on, archived] = [inState('off', 'new'), inState('on'), inState('archived')];
  const current = [...off, ...on];
  const run = (list: readonly Domain[], what: Parameters<typeof change>[1], title: string) =>
    void change(list, what, title).then(onClear);
  return (
    <section
      aria-label={texts.selected(domains.length)}
      className="pointer-events-auto flex min-h-11 flex-wrap items-center gap-2 rounded-10 bg-raised px-3 py-1.5 shadow-float"
    >
      <span aria-live="polite" className="mr-auto text-13 font-medium">
        {texts.selected(domains.length)}
      </span>
      {off.length > 0 && (
        <Button size="small" onPress={() => run(off, { enabled: 'on' }, texts.done.on(nameDomains(off)))}>
          {texts.turnOn}
        </Button>
      )}
      {on.length > 0 && (
        <Button size="small" onPress={() => run(on, { enabled: 'off' }, texts.done.off(nameDomains(on)))}>
          {texts.turnOff}
        </Button>
      )}
      <Button size="small" onPress={() => onAssign(domains)}>
        {texts.assign}
      </Button>
      {current.length > 0 && (
        <Button
          size="small"
          onPress={() =>
            run(current, { archived_at: new Date().toISOString() }, texts.done.archived(nameDomains(current)))
          }
        >
          {texts.archiveMany}
        </Button>
      )}
      {archived.length > 0 && (
        <Button
          size="small"
          onPress={() => run(archived, { archived_at: null }, texts.done.restored(nameDomains(archived)))}
        >
          {texts.restoreMany}
        </Button>
      )}
      <IconButton icon={X} size="small" label={texts.clearSelection} onPress={onClear} />
    </section>
  );
}
