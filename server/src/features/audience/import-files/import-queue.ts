declare module '../../../context.ts' {
  interface AppContext {
    /** Tells the worker of this process that an import may be due. */
    readonly importQueue: ImportQueue;
  }
}

export class ImportQueue {
  /** The worker sets it when it starts. Other processes find the import by polling. */
  wake: () => void = () => {};
}
