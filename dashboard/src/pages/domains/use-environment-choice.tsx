import { useState } from 'react';
import { api } from '../../api/api.ts';
import * as text from '../../messages/text.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { EnvironmentSelect } from './environment-select.tsx';
import { firstFreeColor } from './first-free-color.ts';
import { proposeEnvironment } from './propose-environment.ts';
import type { DomainData } from './use-domain-data.ts';

const texts = text.domains.proposal;
/** The option for an Environment that is created together with the domain. */
const NEW = 'new';

/**
 * The Environment of a domain that is added or turned on. If the host suggests the name of an Environment, that one is
 * selected; if it does not exist yet, it is proposed, and created together with the domain. Otherwise the Environment
 * that the page is filtered by is selected.
 */
export function useEnvironmentChoice(
  host: string,
  data: DomainData,
  { own = null, fallback = null }: { own?: string | null; fallback?: string | null },
) {
  const [chosen, choose] = useState<string | null | undefined>(own ?? undefined);
  const [isDeclined, setDeclined] = useState(false);
  const name = chosen === undefined ? proposeEnvironment(host) : undefined;
  const existing = data.current.find((one) => one.name.trim().toLowerCase() === name?.toLowerCase());
  const proposed = name !== undefined && !existing ? name : undefined;
  const isNew = proposed !== undefined && !isDeclined;
  const id = isNew ? NEW : chosen !== undefined ? chosen : (existing?.id ?? fallback);
  /** Returns the ID to send. Creates the proposed Environment first. */
  const resolve = async (): Promise<string | null> => {
    if (!isNew) return id;
    const { url_group } = await api('POST /v3/edit/url_groups', {
      name: proposed,
      short_name: proposed.slice(0, 3).toUpperCase(),
      style_short_name_color: firstFreeColor(data.current) || null,
    });
    // If the domain is rejected, the next attempt uses the Environment that was created already.
    choose(url_group.id);
    return url_group.id;
  };
  const fields = (autoFocus = false) => (
    <>
      {data.current.length > 0 && (
        <EnvironmentSelect
          label={text.domains.turnOnDialog.environment}
          environments={data.current}
          {...(proposed !== undefined && { proposed: { id: NEW, name: proposed } })}
          value={id}
          onChange={(next) => (next === NEW ? setDeclined(false) : choose(next))}
          autoFocus={autoFocus}
        />
      )}
      {proposed !== undefined && (
        <Checkbox
          label={texts.create(proposed)}
          help={texts.createHelp(proposed)}
          isSelected={!isDeclined}
          onChange={(isSelected) => setDeclined(!isSelected)}
        />
      )}
    </>
  );
  return { id, resolve, fields };
}
