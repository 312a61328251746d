// The stream of decisions: one WebSocket for the page. It comes back by itself when the server does, and asks again what
// was not answered.

/** @typedef {{ move: string, value: number | null, bound: 'exact' | 'upper' | 'lower', visits?: number, half_width?: number }} MoveReport */
/**
 * @typedef {{
 *   position: string, best: string, value: number | null, moves: MoveReport[], line: string[], depth: number,
 *   nodes: number, evaluations: number, moves_tried: number, table_probes: number, table_hits: number,
 *   iterations: number, seconds: number
 * }} Decision
 */
/**
 * @typedef {{
 *   position: string, moves?: string[], agent?: string, seed?: number, role?: string, depth?: number, nodes?: number,
 *   iterations?: number, time?: string
 * }} Question
 */
/**
 * @typedef {{
 *   loading?: () => void,
 *   decision?: (decision: Decision) => void,
 *   done?: (decision: Decision, cut: boolean) => void,
 *   error?: (message: string) => void
 * }} Listener
 */
/** @typedef {{ message: object, listener: Record<string, (reply: any) => void> }} Open */
/** @typedef {'connecting' | 'open' | 'closed'} Status */

/** Waits between attempts to connect, in milliseconds. */
const WAITS = [200, 500, 1000, 2000, 5000];

class Stream extends EventTarget {
  constructor() {
    super();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<number, Open>} */
    this.open = new Map();
    this.next = 1;
    this.failures = 0;
    /** @type {Status} */
    this.status = 'closed';
  }

  /**
   * Asks an agent about a position.
   * @param {string} game
   * @param {Question} question
   * @param {Listener} listener
   * @returns {() => void} ends it
   */
  analyse(game, question, listener) {
    return this.request((id) => ({ type: 'analyse', id, game, question }), {
      loading: () => listener.loading?.(),
      decision: (reply) => listener.decision?.(reply.decision),
      done: (reply) => listener.done?.(reply.decision, reply.cut),
      error: (reply) => listener.error?.(reply.error),
    });
  }

  /**
   * The final decision about a position.
   * @param {string} game
   * @param {Question} question
   * @param {AbortSignal} [signal]
   * @param {(isLoading: boolean) => unknown} [loading] called if the agent has to be loaded first, and when it is there
   * @returns {Promise<Decision>}
   */
  decide(game, question, signal, loading) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = () => {
        end();
        reject(signal?.reason);
      };
      // A signal may outlive very many decisions, and would keep them all.
      const forget = () => signal?.removeEventListener('abort', abort);
      let isLoading = false;
      const end = this.analyse(game, question, {
        loading: () => {
          loading?.(true);
          isLoading = true;
        },
        decision: () => {
          if (isLoading) loading?.(false);
          isLoading = false;
        },
        done: (decision) => {
          forget();
          resolve(decision);
        },
        error: (message) => {
          forget();
          reject(new Error(message));
        },
      });
      signal?.addEventListener('abort', abort);
    });
  }

  /**
   * @param {(id: number) => object} message
   * @param {Record<string, (reply: any) => void>} listener
   * @returns {() => void}
   */
  request(message, listener) {
    const id = this.next++;
    const open = { message: message(id), listener };
    this.open.set(id, open);
    this.connect();
    this.send(open.message);
    return () => {
      if (this.open.delete(id)) this.send({ type: 'stop', id });
    };
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  connect() {
    if (this.socket !== null) return;
    this.setStatus('connecting');
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/api/stream`);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.failures = 0;
      this.setStatus('open');
      for (const { message } of this.open.values()) this.send(message);
    });
    socket.addEventListener('message', (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener('close', () => {
      this.socket = null;
      this.giveUp();
      this.setStatus('closed');
      const wait = WAITS[Math.min(this.failures++, WAITS.length - 1)];
      setTimeout(() => this.connect(), wait);
    });
  }

  /** Ends what would begin anew with the next connection and cannot: the others are asked again. */
  giveUp() {
    for (const [id, { listener }] of this.open) {
      if (listener.lost === undefined) continue;
      this.open.delete(id);
      listener.lost({});
    }
  }

  /** @param {{ type: string, id: number }} reply */
  hear(reply) {
    const open = this.open.get(reply.id);
    if (open === undefined) return;
    if (reply.type === 'abandoned') {
      // The server thought we were asleep; ask again. A match would begin anew: its screen decides.
      if (open.listener.abandoned === undefined) {
        this.send(open.message);
        return;
      }
      this.open.delete(reply.id);
    }
    if (reply.type === 'done' || reply.type === 'error' || reply.type === 'match_over') this.open.delete(reply.id);
    open.listener[reply.type]?.(reply);
  }

  /** @param {Status} status */
  setStatus(status) {
    this.status = status;
    this.dispatchEvent(new Event('status'));
  }
}

export const stream = new Stream();
