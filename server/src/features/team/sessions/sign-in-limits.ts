import type { Millis } from '@usher/domain';
import type { Group } from '../../../group.ts';
import { rejectIfWaiting, SharedCounters } from '../../../http/limits.ts';

declare module '../../../context.ts' {
  interface AppContext {
    readonly signInLimits: SignInLimits;
  }
}

const HOUR: Millis = 60 * 60_000;
const MAX_WRONG_PASSWORDS = 20;
const MAX_EMAILS = 10;
/** How many emails one account may try out with invitations: an owner can create any number of invitations. */
const MAX_INVITED_EMAILS = 50;

/**
 * Limits how many passwords somebody may try. The first limit is for a network, and counts before any password is
 * hashed. The second is for an email, and counts wrong passwords only. Somebody who guesses the password of a person
 * must not lock the person out, so a network from which that person has signed in before has a count of its own.
 * Unknown emails are counted in the same way.
 */
export class SignInLimits {
  readonly #perNetwork: number;
  readonly #networks: SharedCounters;
  readonly #group: Group | undefined;
  /** Wrong passwords by email, then by network, or under an empty key for all networks together. */
  readonly #emails: SharedCounters;

  /** Emails that were tried out: by person, or by link, by the account of the link and by network. */
  readonly #triedEmails: SharedCounters;

  constructor(perNetwork: number, now: () => Millis, group?: Group) {
    this.#perNetwork = perNetwork || Number.POSITIVE_INFINITY;
    this.#group = group;
    this.#networks = new SharedCounters('sign-ins', now);
    this.#emails = new SharedCounters('emails', now, group, HOUR);
    this.#triedEmails = new SharedCounters('tried emails', now, group, HOUR);
  }

  /** Counts an attempt, whether its password is right or not. The workers of a group count together, exactly. */
  async countAttempt(network: string): Promise<void> {
    const limit = this.#perNetwork;
    if (limit === Number.POSITIVE_INFINITY) return;
    if (!this.#group) return this.#networks.count('sign_in', attemptLimit, limit, '', network);
    rejectIfWaiting('sign_in', attemptLimit, limit, await this.#group.countExactly('sign-ins', limit, network));
  }

  /**
   * Rejects the attempt if there were too many wrong passwords for this email, or from this network if the person has
   * used it before.
   */
  checkEmail(email: string, network: string, isFamiliar: boolean): void {
    const wait = this.#emails.wait(MAX_WRONG_PASSWORDS, email, isFamiliar ? network : '');
    rejectIfWaiting('wrong_passwords', wrongPasswordLimit, MAX_WRONG_PASSWORDS, wait);
  }

  /** Counts an email that a person wants to have, before it is looked up: the response says whether somebody else has it. */
  countEmail(personId: string): void {
    this.#triedEmails.count('sign_in', emailLimit, MAX_EMAILS, '', personId);
  }

  /** Like `countEmail`, for an email that somebody with an invitation gives. */
  countInvitedEmail(link: { id: string; account_id: string | null }, network: string): void {
    this.countEmail(link.id);
    const shared = [link.account_id ?? '', ...(this.#perNetwork === Number.POSITIVE_INFINITY ? [] : [network])];
    for (const key of shared) this.#triedEmails.count('sign_in', invitedLimit, MAX_INVITED_EMAILS, 'invited', key);
  }

  countWrong(email: string, network: string): void {
    for (const key of ['', network]) this.#emails.add(email, key);
  }
}

const attemptLimit = (limit: number) => `One network may try to sign in ${limit} times in a minute`;
const emailLimit = (limit: number) => `You may try ${limit} emails in an hour`;
const invitedLimit = (limit: number) =>
  `One network, or one account, may try ${limit} emails with invitations in an hour`;
const wrongPasswordLimit = (limit: number) => `An email may get ${limit} wrong passwords in an hour`;
