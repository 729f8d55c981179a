import { AppError } from '../../core/protocol/errors.ts';
import { BodyReader, sendBody } from './body.ts';
import type { BodySource } from './api.ts';
import { abortError, failureJson, parseFailure, timeoutError } from './failure.ts';
import { Inflow } from './inflow.ts';
import type { Received } from './inflow.ts';
import type { LinkLimits } from './limits.ts';
import { Outflow } from './outflow.ts';
import type { FlowPlace } from './outflow.ts';
import { cancelFrame, headerFrame, jsonFrame, KIND, malformed } from './wire.ts';
import type { LinkWriter } from './writer.ts';

/** The link as its exchanges use it. */
export interface ExchangeHome {
  readonly writer: LinkWriter;
  readonly limits: LinkLimits;
  readonly received: Received;
  /** Takes an exchange that is complete out of its table. */
  remove(exchange: Exchange): void;
  /** Reports what was thrown where no caller hears of it. */
  report(thrown: unknown, where: string): void;
}

/** A call or a stream under way: all frames with one id. */
export abstract class Exchange implements FlowPlace {
  readonly home: ExchangeHome;
  readonly id: number;
  /** 0 where this side has given out the id, else `ANSWERING`. */
  readonly side: number;
  protected outflow: Outflow | undefined;
  protected inflow: Inflow | undefined;

  constructor(home: ExchangeHome, id: number, side: number) {
    this.home = home;
    this.id = id;
    this.side = side;
  }

  get writer(): LinkWriter {
    return this.home.writer;
  }

  get limits(): LinkLimits {
    return this.home.limits;
  }

  /** Bytes handed to the stream or body that are not consumed on the other side. */
  get unconsumed(): number {
    return this.outflow?.pending ?? 0;
  }

  /**
   * Takes a frame of this exchange. `own`: see `FrameSink`.
   *
   * @throws AppError `link-malformed`, `link-overrun`: the link ends
   */
  receive(kind: number, payload: Buffer, own: Uint8Array | undefined): void {
    if (kind === KIND.piece || kind === KIND.chunk) {
      if (!this.inflow) throw malformed('bytes that were not announced');
      this.inflow.part(payload, kind === KIND.chunk, own);
    } else if (kind === KIND.credit) {
      if (!this.outflow) throw malformed('credit without a body');
      this.outflow.credit(payload.readUInt32BE(0), payload.readUInt32BE(4));
    } else this.receiveOther(kind, payload);
  }

  /** Takes a frame that is neither bytes nor credit. */
  protected abstract receiveOther(kind: number, payload: Buffer): void;
  /** Looks whether it is complete. */
  protected abstract progressed(): void;
  /** The link has ended. */
  abstract linkEnded(error: AppError): void;
  /** Gives up what has made no progress since `before`, a time of `performance.now`. */
  abstract sweep(before: number): void;

  protected sendJson(kind: number, json: string): void {
    this.writer.control(jsonFrame(kind | this.side, this.id, json));
  }

  protected sendCancel(cause: 0 | 1): void {
    this.writer.control(cancelFrame(KIND.cancel | this.side, this.id, cause));
  }
}

/** Base of incoming and outgoing calls: a body each way. */
export abstract class CallExchange extends Exchange {
  protected reader: BodyReader | undefined;

  protected receiveOther(kind: number, payload: Buffer): void {
    if (kind === KIND.end) {
      if (!this.inflow) throw malformed('the end of no body');
      this.inflow.end();
    } else if (kind === KIND.abort) {
      if (!this.reader) throw malformed('the failure of no body');
      this.reader.fail(parseFailure(payload));
    } else if (kind === KIND.stop) {
      if (!this.outflow) throw malformed('a stop of no body');
      parseFailure(payload);
      this.outflow.discard();
    } else this.receiveCall(kind, payload);
    this.progressed();
  }

  protected abstract receiveCall(kind: number, payload: Buffer): void;

  protected openReader(): BodyReader {
    this.inflow = new Inflow(this, this.home.received, this.limits.bodyBytes);
    this.reader = new BodyReader(this.inflow, {
      abort: (reason) => this.stopReader(abortError(reason)),
      consumed: () => this.progressed(),
    });
    return this.reader;
  }

  protected startBody(source: BodySource): void {
    const flow = new Outflow(this, false);
    this.outflow = flow;
    flow.onDone = () => this.progressed();
    void sendBody(source, flow, headerFrame(KIND.end | this.side, this.id, 0), (thrown) => this.#failBody(thrown));
  }

  protected get readerIsDone(): boolean {
    return !this.inflow || (this.inflow.isEnded && this.inflow.isEmpty);
  }

  protected get senderIsDone(): boolean {
    return this.outflow?.isDone ?? true;
  }

  /** Drops both bodies without telling the other side. */
  protected dropBodies(error: AppError): void {
    this.reader?.fail(error);
    this.outflow?.discard();
  }

  protected stopReader(error: AppError): void {
    if (this.readerIsDone) return;
    this.sendJson(KIND.stop, failureJson(error, this.limits));
    this.reader?.fail(error);
    this.progressed();
  }

  override sweep(before: number): void {
    if (this.outflow?.isStalled === true && this.outflow.lastProgress < before) this.#failBody(timeoutError('A body'));
    if (this.inflow && !this.inflow.isEmpty && this.inflow.lastProgress < before)
      this.stopReader(timeoutError('A body'));
  }

  #failBody(thrown: unknown): void {
    if (!(thrown instanceof AppError)) this.home.report(thrown, 'the source of a body');
    this.sendJson(KIND.abort, failureJson(thrown, this.limits));
    this.outflow?.discard();
    this.progressed();
  }
}
