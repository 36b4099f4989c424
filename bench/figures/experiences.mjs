import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { requestText, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const STEPS = 30;

/**
 * Compares saving one title of a long tour, with its Change and capture, with a change of one Url, which is one update by
 * key.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function experiencesSave(bench) {
  const store = await createStore(bench);
  const usher = await startUsher(bench, store);
  const { url } = JSON.parse(await usher.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, 201));
  const { tour } = JSON.parse(await usher.post('/v3/edit/tours', { name: 'Long', steps: steps() }, 201));
  const others = tour.steps.slice(1).map((/** @type {{ id: string }} */ { id }) => ({ id }));

  const request = (/** @type {number} */ n) =>
    n % 2 === 0
      ? requestText('PATCH', `/v3/edit/urls/${url.id}`, { enabled: n % 4 === 0 ? 'off' : 'on' })
      : requestText('PATCH', `/v3/edit/tours/${tour.id}`, {
          steps: [{ id: tour.steps[0].id, title: `${n}` }, ...others],
        });
  const load = { port: usher.port, status: 200, connections: 1, seconds: 120, request };
  await drive({ ...load, count: bench.quick ? 20 : 200 });
  const count = bench.quick ? 40 : 2000;
  const { latencies } = await drive({ ...load, count });
  await expectSaved(usher, tour.id, `${count - 1}`);

  const bare = median(latencies.filter((_, n) => n % 2 === 0));
  const save = median(latencies.filter((_, n) => n % 2 === 1));
  return [
    { value: save / bare, unit: 'ratio', target: { most: 10 } },
    { part: 'save', value: save, unit: 'ms' },
    { part: 'bare', value: bare, unit: 'ms' },
  ];
}

function steps() {
  return Array.from({ length: STEPS }, (_, n) => ({
    title: `Step ${n + 1} of a long tour`,
    body: `Here you find **what you need** for step ${n + 1}, {{first_name | fallback: "friend"}}.`,
    position_type: 'snap_to_element',
    elements: [{ selector: `#element-${n}` }],
    quantifier_urls: [{ url: `/page/${n}/*` }],
    buttons: [
      { text: 'Back', tour_action: 'previous' },
      { text: 'Next', tour_action: 'next' },
    ],
  }));
}

/**
 * @param {{ get: (path: string) => Promise<string> }} usher
 * @param {string} id
 * @param {string} title
 */
async function expectSaved(usher, id, title) {
  const { tour } = JSON.parse(await usher.get(`/v3/edit/tours/${id}`));
  if (tour.steps[0].title !== title || tour.steps.length !== STEPS)
    throw new Error(`The first of ${tour.steps.length} steps is "${tour.steps[0].title}", not "${title}"`);
}
