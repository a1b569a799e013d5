import type { Buffer } from 'node:buffer';
import type { Dispatcher } from 'undici';

/** The body of an answer, as it comes. */
export interface ResponseStream extends AsyncIterable<Buffer> {
  /** Reads no more of it: what has not come is not waited for. */
  destroy(): void;
}

/** Bytes that wait to be read; the target sends no more meanwhile. */
const WAITING = 64 * 1024;

/** The body that undici hands over in pieces. It takes a fraction of what a stream of Node's does. */
export class Arriving implements ResponseStream {
  readonly #controller: Dispatcher.DispatchController;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #end: { error?: Error } | undefined;
  #wake = () => {};

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  take(piece: Buffer): void {
    this.#waiting.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > WAITING) this.#controller.pause();
    this.#wake();
  }

  /** Nothing more comes, or an error in its place. */
  end(error?: Error): void {
    this.#end ??= { ...(error && { error }) };
    this.#wake();
  }

  destroy(): void {
    if (this.#end) return;
    this.end();
    this.#controller.abort(new Error('nobody reads the rest'));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) continue;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      this.#bytes = 0;
      await new Promise<void>((wake) => {
        this.#wake = wake;
        this.#controller.resume();
      });
    }
  }
}
