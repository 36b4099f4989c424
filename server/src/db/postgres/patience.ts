/** How long a connection waits for the response to a statement. The reasons are in docs/decisions/0080-silent-networks.md. */
export interface Patience {
  /** After so long PostgreSQL itself ends the statement; 0 if it never does. */
  readonly statementMs: number;
  /** After so long without a byte from the server the connection is given up. */
  readonly silenceMs: number;
  /** Give it up only if PostgreSQL cannot be reached, or does not work on the statement. */
  readonly isPatient: boolean;
}

/** Page loads and most requests. PostgreSQL ends a slow statement first: only a broken network is silent for longer. */
export const forRequests: Patience = { statementMs: 7000, silenceMs: 8000, isPatient: false };
/** Heavy reads, deleting much, batches and commands. */
export const forLongWork: Patience = { statementMs: 60_000, silenceMs: 8000, isPatient: true };
export const forMigrations: Patience = { statementMs: 0, silenceMs: 8000, isPatient: true };

interface Waiting {
  patience: Patience;
  /** How many bytes have arrived on the connection. */
  countBytes(): number;
  /** Asked only if the connection has patience: whether PostgreSQL still runs its statement. */
  isWorking(): Promise<boolean>;
  /** Called with how long the connection was silent. */
  giveUp(silentMs: number): void;
}

/** Calls `giveUp` when a connection is silent for too long. Returns a function to call after the response. */
export function giveUpOnSilence({ patience, countBytes, isWorking, giveUp }: Waiting): () => void {
  const { statementMs, silenceMs, isPatient } = patience;
  const startedAt = performance.now();
  let isWaiting = true;
  let [bytes, silentSince] = [countBytes(), startedAt];
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(check, silenceMs / 8);
  };
  const check = async () => {
    const now = performance.now();
    if (countBytes() !== bytes) [bytes, silentSince] = [countBytes(), now];
    const silentMs = now - silentSince;
    // A timer may run a millisecond early.
    if (silentMs < silenceMs - 5) return schedule();
    const isOverdue = statementMs > 0 && now - startedAt > statementMs + silenceMs / 2;
    if (isPatient && !isOverdue && (await isWorking())) silentSince = performance.now();
    else if (isWaiting && countBytes() === bytes) return giveUp(silentMs);
    if (isWaiting) schedule();
  };
  schedule();
  return () => {
    isWaiting = false;
    clearTimeout(timer);
  };
}
