import { useQuery } from '@tanstack/react-query';
import type { ReportKind } from '@usher/domain';
import { Save } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { query, useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import { addressOfReport, isSameParams, readParams } from './report-address.ts';
import { ReportDialog } from './report-dialog.tsx';
import { ReportMenu, type SavedReport } from './report-menu.tsx';

const texts = text.analytics.reports;

/** Saves what the tab shows, or names the report that it is. */
export function ReportBar({ kind }: { kind: ReportKind }) {
  const [address] = useSearchParams();
  const id = address.get('report') ?? '';
  const { data } = useQuery({ ...query('GET /v3/edit/reports/{id}', { id }), enabled: id !== '' });
  const report = data?.report.kind === kind ? data.report : undefined;
  return report ? <OpenReport report={report} /> : <SaveReport kind={kind} />;
}

function OpenReport({ report }: { report: SavedReport }) {
  const { can } = useSession();
  const [address] = useSearchParams();
  const [, navigate] = useLocation();
  const update = useSend('PATCH /v3/edit/reports/{id}');
  const params = readParams(report.kind, address);
  const { id, updated_at } = report;
  const save = () =>
    update.mutate(
      { id, params, updated_at },
      { onSuccess: () => showToast({ title: texts.changed }), onError: showError },
    );
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-10 border border-line bg-surface px-4 py-2.5">
      <div className="flex min-w-0 flex-1 flex-col">
        <h2 className="truncate text-16 font-semibold">
          <bdi>{report.name}</bdi>
        </h2>
        {report.description !== null && <p className="text-13 text-soft">{report.description}</p>}
      </div>
      {can('edit') && !isSameParams(params, report.params) && (
        <Button look="primary" isPending={update.isPending} onPress={save}>
          {texts.change}
        </Button>
      )}
      <ReportMenu report={report} onDeleted={() => navigate('/app/analytics/reports')} />
    </div>
  );
}

function SaveReport({ kind }: { kind: ReportKind }) {
  const { can } = useSession();
  const [address] = useSearchParams();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const create = useSend('POST /v3/edit/reports');
  if (!can('edit')) return null;
  return (
    <div className="-mt-2 flex justify-end">
      <Button icon={Save} onPress={() => setOpen(true)}>
        {texts.save}
      </Button>
      {isOpen && (
        <ReportDialog
          title={texts.saveTitle}
          action={texts.create}
          send={create}
          onSubmit={(values) =>
            create.mutate(
              { ...values, kind, params: readParams(kind, address) },
              {
                onSuccess: ({ report }) => {
                  setOpen(false);
                  showToast({ title: texts.created(report.name) });
                  navigate(addressOfReport(report), { replace: true });
                },
              },
            )
          }
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
