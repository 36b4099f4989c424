import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { api, type ResponseOf } from '../../api/api.ts';
import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ReportDialog } from './report-dialog.tsx';

const texts = text.analytics.reports;

export type SavedReport = ResponseOf<'GET /v3/edit/reports/{id}'>['report'];

/** What can be done with a saved report. */
export function ReportMenu({ report, onDeleted }: { report: SavedReport; onDeleted?: () => void }) {
  const { can } = useSession();
  const [isRenaming, setRenaming] = useState(false);
  const update = useSend('PATCH /v3/edit/reports/{id}');
  const remove = useSend('DELETE /v3/edit/reports/{id}');
  const { id, name, description, kind, params, updated_at } = report;
  const copy = () =>
    void navigator.clipboard
      .writeText(`${location.origin}/app/analytics/reports/${id}`)
      .then(() => showToast({ title: texts.linkCopied }), showError);
  const onDelete = () =>
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          onDeleted?.();
          showUndo({
            title: texts.deleted(name),
            about: [`reports/${id}`],
            undo: () => api('POST /v3/edit/reports', { name, description, kind, params }),
          });
        },
        onError: showError,
      },
    );
  return (
    <>
      <Menu
        label={texts.actions(name)}
        placement="bottom end"
        trigger={<IconButton icon={Ellipsis} label={texts.actions(name)} />}
        groups={[
          {
            entries: [
              { id: 'copy', label: texts.copyLink, onAction: copy },
              ...(can('edit')
                ? [
                    { id: 'rename', label: texts.edit, onAction: () => setRenaming(true) },
                    { id: 'delete', label: texts.delete, onAction: onDelete },
                  ]
                : []),
            ],
          },
        ]}
      />
      {isRenaming && (
        <ReportDialog
          title={texts.editTitle}
          action={texts.saveName}
          before={report}
          send={update}
          onSubmit={(values) => update.mutate({ id, ...values, updated_at }, { onSuccess: () => setRenaming(false) })}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  );
}
