import { type ComponentProps, useState } from 'react';
import { api } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { isConflict } from '../../api/errors.ts';
import { changedFields } from '../../app/changed-fields.ts';
import type { Environment } from '../../app/environment.ts';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { useFields } from '../../app/form.tsx';
import { useRequest } from '../../app/use-request.ts';
import { ManagedNotice } from '../../files/managed-notice.tsx';
import * as text from '../../messages/text.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { firstFreeColor } from './first-free-color.ts';
import { findSimilarColor, isHexColor } from './similar-color.ts';
import { useReloadDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';

const { dialog: texts, colors, done } = text.environments;

interface EnvironmentDialogProps {
  data: DomainData;
  /** The Environment to change. Without it, the dialog creates one. */
  environment?: Environment;
  onClose: () => void;
}

export function EnvironmentDialog({ data, environment, onClose }: EnvironmentDialogProps) {
  const others = data.current.filter(({ id }) => id !== environment?.id);
  const { values, setValues, bind } = useFields({
    name: environment?.name ?? '',
    short_name: environment?.short_name ?? '',
    color: environment ? (environment.style_short_name_color ?? '') : firstFreeColor(others),
    description: environment?.description ?? '',
  });
  const color = values.color.replace('#', '').toUpperCase();
  const isColor = color === '' || isHexColor(color);
  const params = {
    name: values.name,
    short_name: values.short_name.trim() || null,
    style_short_name_color: color || null,
    description: values.description.trim() || null,
  };
  const { submit, error, isPending } = useSaveEnvironment(environment, params, onClose);
  const wrong = fieldErrors(error, { name: texts.name, short_name: texts.shortName, description: texts.description });
  const similar = isColor && color ? findSimilarColor(color, others) : undefined;
  const sameName = others.find(({ name }) => name.trim().toLowerCase() === values.name.trim().toLowerCase());
  return (
    <FormDialog
      onClose={onClose}
      title={environment ? texts.edit(environment.name) : texts.add}
      size="medium"
      keepsOpen
      onSubmit={() => isColor && void submit()}
      action={environment ? texts.save : texts.create}
      isPending={isPending}
    >
      {environment && <ManagedNotice id={environment.id} />}
      {isConflict(error) ? (
        <Notice kind="error" title={texts.changed}>
          {texts.changedHelp}
        </Notice>
      ) : (
        Object.keys(wrong).length === 0 && <ErrorNotice error={error} />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_12rem]">
        <TextField
          label={texts.name}
          {...bind('name')}
          placeholder={texts.namePlaceholder}
          error={wrong.name}
          {...(sameName && { help: texts.sameName(sameName.name) })}
          autoFocus
          autoComplete="off"
        />
        <TextField
          label={texts.shortName}
          {...bind('short_name')}
          help={texts.shortNameHelp}
          error={wrong.short_name}
          isOptional
          maxLength={6}
          autoComplete="off"
        />
      </div>
      <ColorField
        label={texts.color}
        colors={colors}
        value={color}
        onChange={(chosen) => setValues((before) => ({ ...before, color: chosen }))}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={texts.customColor}
          {...bind('color')}
          help={similar ? texts.sameColor(similar.name) : texts.customColorHelp}
          error={isColor ? undefined : texts.customColorWrong}
          isOptional
          maxLength={7}
          autoComplete="off"
          spellCheck="false"
        />
        <BadgePreview
          environment={{
            name: values.name || texts.namePlaceholder,
            short_name: params.short_name,
            style_short_name_color: isColor ? params.style_short_name_color : null,
          }}
        />
      </div>
      <TextField label={texts.description} {...bind('description')} error={wrong.description} isOptional />
    </FormDialog>
  );
}

function BadgePreview(props: ComponentProps<typeof EnvironmentBadge>) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-13 font-medium">{texts.preview}</span>
      <span className="flex h-8 min-w-0 items-center">
        <EnvironmentBadge {...props} />
      </span>
    </div>
  );
}

type EnvironmentParams = Pick<Environment, 'name' | 'short_name' | 'style_short_name_color' | 'description'>;

/**
 * Creates an Environment, or saves the changed fields. If somebody else has changed it meanwhile, the person sees that
 * before it is saved.
 */
function useSaveEnvironment(environment: Environment | undefined, params: EnvironmentParams, onClose: () => void) {
  const reload = useReloadDomains();
  // The Environment as the person saw it when the dialog was opened. After a conflict they know the new state, and only
  // the fields that they changed are sent.
  const [seen] = useState(environment);
  const [knowsConflict, setKnowsConflict] = useState(false);
  const basis = (knowsConflict ? environment : seen)?.updated_at ?? '';
  const send = () =>
    environment
      ? api('PATCH /v3/edit/url_groups/{id}', {
          id: environment.id,
          updated_at: basis,
          ...changedFields<EnvironmentParams>(seen ?? environment, params),
        })
      : api('POST /v3/edit/url_groups', params);
  return useRequest(
    () =>
      send()
        .catch((error) => {
          if (isConflict(error)) setKnowsConflict(true);
          throw error;
        })
        .finally(reload),
    ({ url_group }) => {
      showToast({ title: (environment ? done.saved : done.added)(url_group.name) });
      onClose();
    },
  );
}
