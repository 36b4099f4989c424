export const overlay = { position: 'fixed', inset: 0, background: '#0008' };
export const panel = {
  ...{ position: 'fixed', inset: '30% 30% auto', background: '#fff', border: '1px solid', padding: 30 },
};

const rows = Array.from({ length: 40 }, (_, index) => `Row ${index} of the page`);

/** What makes a page long enough to scroll. */
export function Filler() {
  return rows.map((text) => (
    <p key={text} className="row">
      {text}
    </p>
  ));
}
