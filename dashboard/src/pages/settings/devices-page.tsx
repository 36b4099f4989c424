import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ResponseOf } from '../../api/api.ts';
import { query, useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { signOut } from '../../app/sign-out.ts';
import { deviceName } from '../../messages/device-name.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';

type Device = ResponseOf<'GET /v3/sessions'>['sessions'][number];

const devices = text.devices;

export default function DevicesPage() {
  const { data, error } = useQuery(query('GET /v3/sessions'));
  const client = useQueryClient();
  const endOne = useSend('DELETE /v3/sessions/{id}');
  const endOthers = useSend('DELETE /v3/sessions');
  const hasOthers = data?.sessions.some(({ current }) => !current) ?? false;
  const end = ({ id, user_agent }: Device) =>
    endOne.mutate(
      { id },
      { onSuccess: () => showToast({ title: devices.ended(deviceName(user_agent)) }), onError: showError },
    );
  return (
    <Page
      title={devices.title}
      intro={devices.intro}
      actions={
        <>
          <Button
            look="quiet"
            onPress={() => endOthers.mutate({}, { onSuccess: () => signOut(client), onError: showError })}
          >
            {devices.endAll}
          </Button>
          <Button
            isDisabled={!hasOthers}
            isPending={endOthers.isPending}
            onPress={() =>
              endOthers.mutate({}, { onSuccess: () => showToast({ title: devices.othersEnded }), onError: showError })
            }
          >
            {devices.endOthers}
          </Button>
        </>
      }
    >
      <ErrorNotice error={error} />
      <Table
        label={devices.title}
        columns={columnsOf(end)}
        rows={data?.sessions}
        expectedRows={2}
        nameOf={({ user_agent }) => deviceName(user_agent)}
        empty={null}
      />
      {data && !hasOthers && <p className="text-13 text-soft">{devices.onlyThis}</p>}
    </Page>
  );
}

function columnsOf(end: (device: Device) => void): TableColumn<Device>[] {
  return [
    {
      id: 'device',
      label: devices.columns.device,
      width: '2fr',
      minWidth: 104,
      render: ({ user_agent }) => deviceName(user_agent),
    },
    { id: 'network', label: devices.columns.network, isSecondary: true, render: ({ network }) => network },
    {
      id: 'used',
      label: devices.columns.used,
      minWidth: 112,
      render: ({ last_used_at }) => <RelativeTime time={last_used_at} />,
    },
    {
      id: 'started',
      label: devices.columns.started,
      isSecondary: true,
      render: ({ created_at }) => <RelativeTime time={created_at} />,
    },
    {
      id: 'actions',
      label: devices.columns.actions,
      isLabelHidden: true,
      width: 112,
      minWidth: 112,
      align: 'end',
      render: (device) =>
        device.current ? (
          <Badge tone="good">{devices.thisDevice}</Badge>
        ) : (
          <Button
            size="small"
            aria-label={devices.endDevice(deviceName(device.user_agent))}
            onPress={() => end(device)}
          >
            {devices.end}
          </Button>
        ),
    },
  ];
}
