/**
 * One request and its result, with times of one clock. The status is missing if it is unknown whether the request took
 * effect: the process was killed before it responded, or it returned 503.
 * @typedef {object} Operation
 * @property {'create' | 'update' | 'cancel' | 'claim' | 'clear' | 'visit' | 'read'} kind
 * @property {string} user
 * @property {number} started
 * @property {number} ended
 * @property {number | undefined} [status]
 * @property {string} [message] the error, if a process that was not killed did not respond
 * @property {string} [id] the Delivery that it created, changed, cancelled or claimed
 * @property {string} [key] the idempotency key that it gives to the Delivery
 * @property {boolean} [drops] whether it removes other Deliveries from a full list
 * @property {boolean} [segmented] whether a page load may remove the Delivery from now on
 * @property {boolean} [conditional] whether a claim may be rejected from now on although the Delivery is pending
 * @property {boolean} [expires] whether a page load may leave out the Delivery from now on: its `until` may have passed
 * @property {string} [by] the page and the showing that claim; they may repeat the claim
 * @property {string} [href] the address in the claim, which no other page or showing has
 * @property {boolean} [triggered] whether the response says that the claim triggered the Delivery
 * @property {string[]} [listed] the pending Deliveries in the response to a read or a page load
 * @property {string[]} [offered] the Deliveries that a page load offers to the page
 */

/**
 * A Delivery as it is stored.
 * @typedef {object} Row
 * @property {string} id
 * @property {string} user
 * @property {string | null} key
 * @property {string | null} at
 * @property {string | null} at_href
 * @property {string | null} interaction_id
 * @property {string | null} removed_at
 */

/**
 * The two lists of one user, read in one statement: the IDs in its profile, and its pending Deliveries.
 * @typedef {{ user: string, delivery_ids: string[], pending: string[] }} Snapshot
 */

/**
 * @typedef {object} History
 * @property {number} limit how many Deliveries may be pending
 * @property {Operation[]} operations
 * @property {{ id: string, at: string }[]} observedTriggers the trigger times in API responses and in the final rows
 * @property {Row[]} rows the stored Deliveries at the end
 */

/** @typedef {{ invariant: string, what: string }} Problem */

/**
 * How long after its process was killed a transaction may still be committed: PostgreSQL finishes a statement before it
 * notices that the client has disconnected.
 */
const LATE_COMMIT_MS = 5000;

/** @type {Record<Operation['kind'], number[]>} */
const allowedStatuses = {
  create: [201, 200, 409, 422, 429],
  update: [200, 404, 409, 422, 429],
  cancel: [200, 404, 409],
  claim: [200, 403],
  clear: [200],
  visit: [200],
  read: [200],
};

/**
 * Finds what cannot have happened if every Delivery is triggered at most once, and every acknowledged operation took
 * effect between its request and its response.
 * @param {History} history
 * @returns {Problem[]}
 */
export function findHistoryProblems({ limit, operations, observedTriggers, rows }) {
  const rowsOf = groupBy(rows, ({ user }) => user);
  const problems = findRepeatedTriggers(observedTriggers);
  for (const [user, own] of groupBy(operations, (operation) => operation.user))
    problems.push(...findUserProblems(user, own, rowsOf.get(user) ?? [], limit));
  return problems;
}

/**
 * @param {readonly Snapshot[]} snapshots
 * @param {number} limit
 * @returns {Problem[]}
 */
export function findSnapshotProblems(snapshots, limit) {
  return snapshots.flatMap(({ user, delivery_ids, pending }) => {
    const problems = [];
    if (!sameSet(delivery_ids, pending))
      problems.push(problem('list differs', `${user}: delivery_ids ${delivery_ids}, pending ${pending}`));
    if (delivery_ids.length > limit || pending.length > limit)
      problems.push(problem('over the limit', `${user}: delivery_ids ${delivery_ids}, pending ${pending}`));
    return problems;
  });
}

/**
 * Compares an API response with the stored rows while nothing changes.
 * @param {Snapshot} snapshot
 * @param {{ delivery_ids: string[], pending: string[] }} returned
 * @returns {Problem[]}
 */
export function findResponseProblems({ user, delivery_ids, pending }, returned) {
  const problems = [];
  if (String(returned.delivery_ids) !== String(delivery_ids))
    problems.push(
      problem('response differs', `${user}: returned delivery_ids ${returned.delivery_ids}, stored ${delivery_ids}`),
    );
  if (!sameSet(returned.pending, pending))
    problems.push(problem('response differs', `${user}: returned pending ${returned.pending}, stored ${pending}`));
  return problems;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(item: T) => string} keyOf
 */
function groupBy(list, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * @param {string} invariant
 * @param {string} what
 * @returns {Problem}
 */
function problem(invariant, what) {
  return { invariant, what };
}

/**
 * @param {readonly string[]} some
 * @param {readonly string[]} others
 */
function sameSet(some, others) {
  const set = new Set(others);
  return some.length === others.length && set.size === others.length && some.every((id) => set.delete(id));
}

/**
 * @param {History['observedTriggers']} observedTriggers
 * @returns {Problem[]}
 */
function findRepeatedTriggers(observedTriggers) {
  const times = groupBy(observedTriggers, ({ id }) => id);
  return [...times].flatMap(([id, seen]) => {
    const at = new Set(seen.map((trigger) => trigger.at));
    return at.size > 1 ? problem('triggered twice', `${id} at ${[...at].join(' and ')}`) : [];
  });
}

/**
 * @param {string} user
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {number} limit
 * @returns {Problem[]}
 */
function findUserProblems(user, operations, rows, limit) {
  /** @type {Problem[]} */
  const problems = [];
  const report = (/** @type {string} */ invariant, /** @type {string} */ what) =>
    problems.push(problem(invariant, `${user}: ${what}`));

  checkResponses(operations, limit, report);
  checkKeys(operations, rows, report);
  const timelines = buildTimelines(operations, rows, report);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id, timeline] of timelines) {
    checkSeen(id, timeline, report);
    checkTriggers(id, timeline, report);
    checkEnd(id, timeline, byId.get(id), report);
  }
  return problems;
}

/** @typedef {(invariant: string, what: string) => unknown} Report */

/**
 * @param {readonly Operation[]} operations
 * @param {number} limit
 * @param {Report} report
 */
function checkResponses(operations, limit, report) {
  const clears = operations.filter(({ kind, status }) => kind === 'clear' && isPossible(status));
  for (const { kind, status, message, started, ended, listed = [], offered = [] } of operations) {
    if (message !== undefined) report('wrong response', `${kind} from ${started} to ${ended}: ${message}`);
    if (status !== undefined && !allowedStatuses[kind].includes(status))
      report('wrong response', `${kind} from ${started} to ${ended} returned ${status}`);
    if (status === 403 && !clears.some((clear) => clear.started < ended))
      report(
        'wrong response',
        `${kind} from ${started} to ${ended}: a visit was over although the profile was not cleared`,
      );
    if (listed.length > limit) report('over the limit', `${kind} from ${started} to ${ended}: ${listed}`);
    if (offered.some((id) => !listed.includes(id)))
      report('response differs', `${kind} from ${started} to ${ended} offered ${offered}, but listed ${listed}`);
  }
}

/** @param {number | undefined} status */
function isDone(status) {
  return status === 200 || status === 201;
}

/**
 * Whether the request took effect, or may have taken effect.
 * @param {number | undefined} status
 */
function isPossible(status) {
  return status === undefined || isDone(status);
}

/**
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {Report} report
 */
function checkKeys(operations, rows, report) {
  const done = operations.filter(({ key, id, status }) => key !== undefined && id !== undefined && isDone(status));
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [key, uses] of groupBy(done, (operation) => operation.key ?? '')) {
    const stored = rows.filter((row) => row.key === key);
    const ids = new Set([...uses, ...stored].map(({ id }) => id));
    if (ids.size > 1) report('two Deliveries for one key', `${key}: the Deliveries ${[...ids].join(' and ')}`);
  }
  for (const { id, key } of done) {
    const row = byId.get(id ?? '');
    if (row && row.key !== key) report('key lost', `${id} has the key ${row.key} instead of ${key}`);
  }
}

/**
 * What the operations show about one Delivery. All times are bounds, because the exact times are unknown.
 * @typedef {object} Timeline
 * @property {number} createdAfter
 * @property {number} createdBefore
 * @property {boolean} acknowledged whether a response confirmed the creation
 * @property {number} mayEndFrom it may be removed or triggered from this time on
 * @property {number} mustEndFrom it must be removed or triggered from this time on
 * @property {number} conditional from this time on a claim may be rejected although it is pending
 * @property {number} expires from this time on a page load may leave it out although it is pending
 * @property {Operation[]} claims
 * @property {Operation[]} cancels the cancellations that were acknowledged
 * @property {Operation[]} present the operations that found it pending
 * @property {Operation[]} absent the operations that did not find it pending
 */

/**
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {Report} report
 * @returns {Map<string, Timeline>}
 */
function buildTimelines(operations, rows, report) {
  const timelines = createTimelines(operations, rows, report);
  const removals = operations.filter((operation) => isPossible(operation.status) && mayRemove(operation));
  const segmented = new Set(operations.flatMap((operation) => (operation.segmented ? (operation.id ?? []) : [])));
  const unknownSegmented = operations.some(({ segmented, id }) => segmented && id === undefined);
  for (const [id, timeline] of timelines) {
    const maySegment = segmented.has(id) || (unknownSegmented && !timeline.acknowledged);
    for (const removal of removals) {
      if (removal.kind === 'visit' && !maySegment) continue;
      if (affectsOneDelivery(removal) && removal.id !== id) continue;
      const lastEffect = removal.status === undefined ? removal.ended + LATE_COMMIT_MS : removal.ended;
      if (lastEffect > timeline.createdAfter) timeline.mayEndFrom = Math.min(timeline.mayEndFrom, removal.started);
      if (removal.status === undefined || !(affectsOneDelivery(removal) || removal.kind === 'clear')) continue;
      if (affectsOneDelivery(removal) || removal.started > timeline.createdBefore)
        timeline.mustEndFrom = Math.min(timeline.mustEndFrom, removal.ended);
    }
  }
  for (const operation of operations) applyConditions(operation, timelines);
  for (const operation of operations) observe(operation, timelines);
  return timelines;
}

/** @param {Operation} operation */
function mayRemove({ kind, triggered, status, drops }) {
  if (kind === 'create') return Boolean(drops) && status !== 200;
  if (kind === 'update') return Boolean(drops);
  if (kind === 'claim') return status === undefined || Boolean(triggered);
  return kind === 'cancel' || kind === 'clear' || kind === 'visit';
}

/** @param {Operation} operation */
function affectsOneDelivery({ kind }) {
  return kind === 'cancel' || kind === 'claim';
}

/**
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {Report} report
 */
function createTimelines(operations, rows, report) {
  /** @type {Map<string, Timeline>} */
  const timelines = new Map();
  const newTimeline = (/** @type {Partial<Timeline>} */ known) => ({
    ...{ createdAfter: 0, createdBefore: 0, acknowledged: false },
    ...{
      mayEndFrom: Number.POSITIVE_INFINITY,
      mustEndFrom: Number.POSITIVE_INFINITY,
      conditional: Number.POSITIVE_INFINITY,
      expires: Number.POSITIVE_INFINITY,
    },
    ...{ claims: [], cancels: [], present: [], absent: [] },
    ...known,
  });
  for (const { kind, status, id, started, ended } of operations) {
    if (kind !== 'create' || status !== 201 || id === undefined) continue;
    if (timelines.has(id)) report('created twice', id);
    timelines.set(id, newTimeline({ createdAfter: started, createdBefore: ended, acknowledged: true }));
  }
  const unknown = operations.filter(({ kind, status }) => kind === 'create' && status === undefined);
  const earliest = Math.min(...unknown.map(({ started }) => started));
  const recordMention = (/** @type {string} */ id, /** @type {number} */ ended) => {
    const timeline = timelines.get(id);
    if (!timeline)
      timelines.set(
        id,
        newTimeline({ createdAfter: earliest, createdBefore: ended, conditional: earliest, expires: earliest }),
      );
    else if (!timeline.acknowledged) timeline.createdBefore = Math.min(timeline.createdBefore, ended);
  };
  for (const { id, listed = [], ended } of operations) {
    if (id !== undefined) recordMention(id, ended);
    for (const listedId of listed) recordMention(listedId, ended);
  }
  for (const { id } of rows) recordMention(id, Number.POSITIVE_INFINITY);
  const unrequested = [...timelines].filter(([, { acknowledged }]) => !acknowledged);
  if (unrequested.length > unknown.length)
    report(
      'created without a request',
      `${unrequested.map(([id]) => id)}, but only ${unknown.length} creations got no response`,
    );
  return timelines;
}

/**
 * @param {Operation} operation
 * @param {Map<string, Timeline>} timelines
 */
function applyConditions({ id, status, started, conditional, expires }, timelines) {
  const timeline = id === undefined ? undefined : timelines.get(id);
  if (!timeline || !isPossible(status)) return;
  if (conditional) timeline.conditional = Math.min(timeline.conditional, started);
  if (expires) timeline.expires = Math.min(timeline.expires, started);
}

/**
 * @param {Operation} operation
 * @param {Map<string, Timeline>} timelines
 */
function observe(operation, timelines) {
  const { kind, status, id, listed, started, ended } = operation;
  if (listed) {
    const listedIds = new Set(listed);
    for (const [listedId, timeline] of timelines) {
      if (listedIds.has(listedId)) timeline.present.push(operation);
      else if (kind === 'visit' && timeline.expires < ended) continue;
      else if (started > timeline.createdBefore) timeline.absent.push(operation);
    }
  }
  const timeline = id === undefined ? undefined : timelines.get(id);
  if (!timeline) return;
  if (kind === 'claim') timeline.claims.push(operation);
  if (kind === 'cancel' && status === 200) timeline.cancels.push(operation);
  if ((kind === 'cancel' || kind === 'update') && status === 200) timeline.present.push(operation);
  if (kind === 'cancel' ? status === 404 || status === 409 : kind === 'update' && status === 404)
    if (started > timeline.createdBefore) timeline.absent.push(operation);
}

/**
 * @param {string} id
 * @param {Timeline} timeline
 * @param {Report} report
 */
function checkSeen(id, timeline, report) {
  const { claims } = timeline;
  const removedBy = Math.min(timeline.mustEndFrom, ...timeline.absent.map(({ ended }) => ended));
  for (const { kind, started, ended } of timeline.present) {
    if (started > removedBy)
      report('seen after removal', `${id} by a ${kind} from ${started} to ${ended}, removed by ${removedBy}`);
    if (ended < timeline.createdAfter)
      report('seen before creation', `${id} by a ${kind} until ${ended}, created after ${timeline.createdAfter}`);
  }
  for (const { triggered, by } of claims) {
    const repeated = claims.filter((claim) => claim.by === by && isPossible(claim.status));
    const first = Math.min(...repeated.map(({ started }) => started));
    if (triggered && first > removedBy)
      report('triggered after removal', `${id} by ${by} from ${first} on, removed by ${removedBy}`);
  }
  for (const { kind, started, ended } of timeline.absent)
    if (timeline.mayEndFrom >= ended)
      report('missing', `${id} in a ${kind} from ${started} to ${ended}, although nothing had removed it`);
}

/**
 * @param {string} id
 * @param {Timeline} timeline
 * @param {Report} report
 */
function checkTriggers(id, timeline, report) {
  const { claims, cancels } = timeline;
  const winners = new Set(claims.flatMap(({ triggered, by }) => (triggered ? (by ?? '') : [])));
  if (winners.size > 1) report('triggered twice', `${id} by ${[...winners].join(' and ')}`);
  if (cancels.length > 1) report('cancelled twice', `${id}, until ${cancels.map(({ ended }) => ended).join(' and ')}`);
  if (winners.size > 0 && cancels.length > 0)
    report('cancelled and triggered', `${id} by ${[...winners].join(' and ')}, cancelled by ${cancels[0]?.ended}`);
  for (const { status, triggered, started, ended, by } of claims) {
    if (status !== 200 || triggered) continue;
    const couldWin = started > timeline.createdBefore && ended < timeline.conditional && ended <= timeline.mayEndFrom;
    if (couldWin)
      report('claim rejected', `${id} claimed by ${by} from ${started} to ${ended}, although no other claim had won`);
    if (claims.some((claim) => claim.by === by && claim.triggered && claim.ended < started))
      report('repeated claim rejected', `${id}: ${by} had won it, and was rejected from ${started} to ${ended}`);
  }
}

/**
 * @param {string} id
 * @param {Timeline} timeline
 * @param {Row | undefined} row
 * @param {Report} report
 */
function checkEnd(id, timeline, row, report) {
  const won = timeline.claims.filter(({ triggered }) => triggered);
  if (!row) {
    report('creation lost', `${id} was created between ${timeline.createdAfter} and ${timeline.createdBefore}`);
    return;
  }
  if ((row.at === null) !== (row.interaction_id === null) || (row.at !== null && row.removed_at !== null))
    report('partly triggered', `${id} at ${row.at}, interaction ${row.interaction_id}, removed ${row.removed_at}`);
  if (row.at !== null) {
    const possible = won.length > 0 ? won : timeline.claims.filter(({ status }) => status === undefined);
    if (timeline.cancels.length > 0) report('cancelled and triggered', `${id} at ${row.at}`);
    else if (!possible.some(({ href }) => href === row.at_href))
      report('triggered without a claim', `${id} on ${row.at_href}, claimed on ${possible.map(({ href }) => href)}`);
  } else if (won.length > 0) report('trigger lost', `${id}, won by ${won[0]?.by}`);
  else if (row.removed_at === null && timeline.mustEndFrom < Number.POSITIVE_INFINITY)
    report('removal lost', `${id} is pending, although it was removed by ${timeline.mustEndFrom}`);
  else if (row.removed_at !== null && timeline.mayEndFrom === Number.POSITIVE_INFINITY)
    report('removed without a request', id);
}
