import { useQuery } from '@tanstack/react-query';
import { Crosshair } from 'lucide-react';
import { Suspense, useState } from 'react';
import { query, useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form } from '../../app/form.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Section } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { useUnsavedChanges } from '../../app/unsaved-changes.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { ShownEvent } from './event-page.tsx';

const texts = text.events.definition;
type Definition = NonNullable<ShownEvent['definition']>;

const PickElementDialog = lazyComponent(() =>
  import('./pick-element-dialog.tsx').then((module) => module.PickElementDialog),
);

/** What people do for an event without code, and whether pages count it. */
export function DefinitionSection({ event, definition }: { event: ShownEvent; definition: Definition }) {
  const { can } = useSession();
  const publish = useSend('PATCH /v3/edit/event_names/{id}');
  const isLive = event.published_at !== null;
  const change = () =>
    publish.mutate(
      { id: event.id, published_at: isLive ? null : '$now' },
      {
        onSuccess: () => showToast({ title: isLive ? texts.unpublished : texts.published }),
        onError: showError,
      },
    );
  return (
    <Section title={texts.title} intro={texts.intro}>
      <div className="flex flex-wrap items-center gap-2 text-13">
        <Badge tone={isLive ? 'good' : 'neutral'}>{isLive ? text.states.live : text.states.draft}</Badge>
        <span className="min-w-0 text-soft wrap-anywhere">
          {isLive && event.published_at ? (
            <>
              {texts.since} <RelativeTime time={event.published_at} />
            </>
          ) : (
            texts.notCounted
          )}
        </span>
        {can('edit') && (
          <Button
            size="small"
            look={isLive ? 'plain' : 'primary'}
            className="ms-auto"
            isPending={publish.isPending}
            onPress={change}
          >
            {isLive ? texts.unpublish : texts.publish}
          </Button>
        )}
      </div>
      {definition.kind === 'click' && <ElementField event={event} definition={definition} />}
      <PagesForm
        key={definition.quantifier_urls.map(({ url }) => url).join('\n')}
        event={event}
        definition={definition}
      />
    </Section>
  );
}

/** The element whose clicks count. */
function ElementField({ event, definition }: { event: ShownEvent; definition: Definition }) {
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = definition.elements;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-14 font-medium">{texts.element}</h3>
        {can('edit') && (
          <Button size="small" icon={Crosshair} onPress={() => setOpen(true)}>
            {text.content.pickElement}
          </Button>
        )}
      </div>
      {first ? (
        <p className="text-13 wrap-anywhere">
          <bdi className="font-mono text-12">
            {[first.selector, first.shadow_selector].filter(Boolean).join(' >>> ') || ''}
          </bdi>
          {first.text !== null && ` “${first.text}”`}
          {others.length > 0 && <span className="text-soft"> {texts.otherWays(others.length)}</span>}
        </p>
      ) : (
        <p className="text-13 text-soft">{texts.noElement}</p>
      )}
      <Suspense>
        {isOpen && <PickElementDialog event={event} definition={definition} onClose={() => setOpen(false)} />}
      </Suspense>
    </div>
  );
}

/** The pages, one pattern in each line, and the Environments. */
function PagesForm({ event, definition }: { event: ShownEvent; definition: Definition }) {
  const { can } = useSession();
  const update = useSend('PATCH /v3/edit/event_names/{id}');
  const { url_groups: groups = [] } = useQuery(query('GET /v3/edit/url_groups', { limit: 100 })).data ?? {};
  // Patterns of other types come by the API, and stay.
  const isSimple = ({ match_type }: Definition['quantifier_urls'][number]) => match_type === 'simple';
  const saved = definition.quantifier_urls
    .filter(isSimple)
    .map(({ url }) => url)
    .join('\n');
  const [typed, setTyped] = useState(saved);
  const [chosen, setChosen] = useState<readonly string[]>(definition.url_group_ids);
  const isDirty = typed !== saved || chosen.join() !== definition.url_group_ids.join();
  useUnsavedChanges(isDirty);
  const others = definition.quantifier_urls.filter((one) => !isSimple(one));
  const save = () => {
    if (!isDirty || update.isPending) return;
    const lines = typed.split('\n').flatMap((line) => line.trim() || []);
    const quantifier_urls = [...lines.map((url) => ({ url, match_type: 'simple' as const })), ...others];
    update.mutate(
      { id: event.id, definition: { kind: definition.kind, quantifier_urls, url_group_ids: [...chosen] } },
      { onSuccess: () => showToast({ title: texts.saved }) },
    );
  };
  return (
    <Form onSubmit={save} className="gap-3">
      <TextArea
        label={texts.pages}
        help={texts.pagesHelp[definition.kind]}
        placeholder="/settings/*"
        value={typed}
        onChange={setTyped}
        isReadOnly={!can('edit')}
      />
      {others.length > 0 && (
        <p className="text-13 text-soft wrap-anywhere">{texts.others(others.map(({ url }) => url).join(', '))}</p>
      )}
      {groups.length > 0 && (
        <fieldset className="flex flex-col gap-1.5" disabled={!can('edit')}>
          <legend className="mb-1 text-13 font-medium">{texts.environments}</legend>
          {groups.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              isDisabled={!can('edit')}
              isSelected={chosen.includes(id)}
              onChange={(isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
          ))}
          <p className="text-12 text-soft">{texts.environmentsHelp}</p>
        </fieldset>
      )}
      <ErrorNotice error={update.error} />
      {can('edit') && (
        <Button type="submit" className="self-start" isPending={update.isPending} isDisabled={!isDirty}>
          {texts.save}
        </Button>
      )}
    </Form>
  );
}
