import type { Operations } from './api.ts';
import { Core, type RequestOptions, type UsherOptions } from './core.ts';
import { type ItemOf, itemsIn, type ListOperation } from './lists.ts';

type OperationName = keyof Operations;
type ParamsOf<O extends OperationName> = Operations[O]['params'];
type ResponseOf<O extends OperationName> = Operations[O]['response'];
/** Params can be left out where none is required. */
type Rest<Params, Options> =
  Record<never, never> extends Params ? [params?: Params, options?: Options] : [params: Params, options?: Options];

interface SyncOptions<Item> extends Pick<RequestOptions, 'signal'> {
  /** What the call before this one returned; null or undefined to begin. */
  after?: string | null | undefined;
  /** Is called for one record after the other. If it throws, `after` stays as it was, and the next call repeats the records. */
  each(item: Item): void | Promise<void>;
}

type Delivery = ResponseOf<'GET /v3/edit/deliveries/{id}'>['delivery'];
type NewDelivery = ParamsOf<'POST /v3/edit/deliveries'>;
type TranslationFile = Extract<ResponseOf<'GET /v3/edit/experiences/i18n'>, object>;

/** The kinds of Experiences that have translation files, as they are in paths. */
export type KindPath = 'tours' | 'surveys' | 'launchers' | 'tooltips' | 'embeds';

/** What to pull: one Experience, all of a kind, some of several kinds, or everything. */
export interface PullOptions {
  kind?: KindPath;
  id?: string;
  experiences?: readonly { kind: string; id: string }[];
  /** Other services send the primary language only. */
  language?: string;
}

const MAX_PAGE = 500;

/** A client of one account. */
export class Usher {
  readonly #core: Core;

  constructor(options: UsherOptions) {
    this.#core = new Core(options);
  }

  /** Sends an operation, such as `GET /v3/edit/tours/{id}`. What the path names is one of the params. */
  async request<O extends OperationName>(
    operation: O,
    ...[params = {}, options]: Rest<ParamsOf<O>, RequestOptions>
  ): Promise<ResponseOf<O>> {
    return (await this.#core.send(operation, params, options)) as ResponseOf<O>;
  }

  /** All records of a list, newest first, page after page. */
  async *list<O extends ListOperation>(
    operation: O,
    ...[params = {}, options]: Rest<ParamsOf<O>, Pick<RequestOptions, 'signal'>>
  ): AsyncGenerator<ItemOf<O>, void, undefined> {
    for await (const { items } of this.#pages(operation, params, options)) yield* items;
  }

  /** The secret is right: returns whose it is. */
  check(): Promise<ResponseOf<'GET /'>> {
    return this.request('GET /');
  }

  readonly deliveries = {
    /** Triggers an Experience for one user. With an `idempotency_key` it is made once, however often this is called. */
    create: async (params: NewDelivery, options?: RequestOptions): Promise<Delivery> => {
      const repeatable = params.idempotency_key !== undefined;
      return (await this.request('POST /v3/edit/deliveries', params, { repeatable, ...options })).delivery;
    },
    /** Makes this the only pending Delivery of the user. */
    replace: (params: NewDelivery, options?: RequestOptions): Promise<Delivery> =>
      this.deliveries.create({ ...params, delivery_ids_limit: 1, delivery_ids_at_limit: 'drop' }, options),
    /** Cancels it. Returns false if it has been triggered already, or is gone. */
    cancel: async (id: string, options?: RequestOptions): Promise<boolean> => {
      try {
        await this.request('DELETE /v3/edit/deliveries/{id}', { id }, options);
        return true;
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code === 404 || code === 409) return false;
        throw error;
      }
    },
    list: (params: ParamsOf<'GET /v3/edit/deliveries'> = {}, options?: Pick<RequestOptions, 'signal'>) =>
      this.list('GET /v3/edit/deliveries', params, options),
  };

  readonly translations = {
    /** The translation file of Experiences, with texts to be replaced. */
    pull: async ({ kind, id, experiences, language }: PullOptions = {}, options?: RequestOptions) => {
      const path = kind ? `/v3/edit/${kind}${id === undefined ? '' : '/{id}'}/i18n` : '/v3/edit/experiences/i18n';
      const params = { id, experiences, language, format: 'json' };
      return (await this.#core.send(`POST ${path}`, params, { repeatable: true, ...options })) as TranslationFile;
    },
    /** Uploads translation files. Each has the code of its language in `language.code`. */
    push: async (files: TranslationFile | readonly TranslationFile[], options?: RequestOptions) => {
      const form = new FormData();
      for (const [index, file] of [files].flat().entries())
        form.append('files[]', new Blob([JSON.stringify(file)], { type: 'application/json' }), `${index}.json`);
      return (await this.#core.send(
        'POST /v3/edit/i18n',
        {},
        { repeatable: true, ...options, form },
      )) as ResponseOf<'POST /v3/edit/i18n'>;
    },
  };

  readonly sync = {
    /** What administrators have changed since `after`, oldest first. Returns the `after` of the next call. */
    changes: ({
      filters,
      ...options
    }: SyncOptions<ItemOf<'GET /v3/edit/changes'>> & { filters?: string[] }): Promise<string | null> =>
      this.#syncCreated('GET /v3/edit/changes', filters ? { filters } : {}, options),
    /** What users have done with an Experience since `after`, the last changed first. Returns the `after` of the next call. */
    interactions: (id: string, options: SyncOptions<ItemOf<'GET /v3/analyze/interactions'>>): Promise<string | null> =>
      this.#syncUpdated('GET /v3/analyze/interactions', { id }, options),
    /** What users have answered to a survey since `after`, the last changed first. Other v3 services do not have this list. */
    responses: (id: string, options: SyncOptions<ItemOf<'GET /v3/analyze/responses'>>): Promise<string | null> =>
      this.#syncUpdated('GET /v3/analyze/responses', { id }, options),
  };

  async #syncCreated<O extends ListOperation>(
    operation: O,
    params: object,
    { after, each, signal }: SyncOptions<ItemOf<O>>,
  ): Promise<string | null> {
    // Lists begin with the newest. All are read before the first is handled, so that every point between two of them can be kept.
    const found: ItemOf<O>[] = [];
    for await (const { items } of this.#pages(operation, withAfter(params, after), signal && { signal }))
      found.push(...items);
    let last = after ?? null;
    for (const item of found.reverse()) {
      signal?.throwIfAborted();
      await each(item);
      last = (item as { id: string }).id;
    }
    return last;
  }

  async #syncUpdated<O extends ListOperation>(
    operation: O,
    params: object,
    { after, each, signal }: SyncOptions<ItemOf<O>>,
  ): Promise<string | null> {
    let next: string | null = null;
    const ordered = withAfter({ ...params, order: 'updated_at' }, after);
    for await (const { items, cursor } of this.#pages(operation, ordered, signal && { signal })) {
      // Usher says in `cursor.after` where to continue, exactly. Elsewhere it is the time of the newest record.
      next ??= cursor?.after ?? (items[0] as { updated_at?: string } | undefined)?.updated_at ?? null;
      for (const item of items) {
        signal?.throwIfAborted();
        await each(item);
      }
    }
    return next ?? after ?? null;
  }

  async *#pages<O extends ListOperation>(operation: O, params: object, options?: Pick<RequestOptions, 'signal'>) {
    let before: unknown;
    do {
      const page = before === undefined ? params : { ...params, before };
      const response = await this.#core.send(operation, { limit: MAX_PAGE, ...page }, options);
      const { items, cursor } = itemsIn<ItemOf<O>>(response);
      yield { items, cursor };
      before = items.length > 0 ? cursor?.before : null;
    } while (before !== null && before !== undefined);
  }
}

function withAfter(params: object, after: string | null | undefined): object {
  return after === null || after === undefined ? params : { ...params, after };
}
