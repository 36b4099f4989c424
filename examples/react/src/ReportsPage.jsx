import usher from 'usher-browser';

export function ReportsPage() {
  return (
    <>
      <h1>Reports</h1>
      <button type="button" data-tour="export" onClick={() => usher.track('report_exported', { format: 'csv' })}>
        Export
      </button>
    </>
  );
}
