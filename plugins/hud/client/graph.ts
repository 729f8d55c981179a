/** Number of values in a graph. */
export const COLUMNS = 70;
/** Height in CSS px. */
export const HEIGHT = 30;

/** The last values of one measure, drawn into the attached canvas, one px per value. */
export class Graph {
  readonly name: string;
  readonly #values: number[] = [];
  #canvas: HTMLCanvasElement | null = null;
  #label: HTMLElement | null = null;

  constructor(name: string) {
    this.name = name;
  }

  /** Sets the canvas to draw into; null: none. */
  readonly attach = (canvas: HTMLCanvasElement | null): void => {
    this.#canvas = canvas;
    this.#draw();
  };

  /** Sets the element that shows the latest value. */
  readonly label = (label: HTMLElement | null): void => {
    this.#label = label;
    this.#draw();
  };

  /** Adds a value. */
  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > COLUMNS) this.#values.shift();
    this.#draw();
  }

  #draw(): void {
    const values = this.#values;
    const last = values.at(-1) ?? 0;
    if (this.#label) this.#label.textContent = last >= 100 || Number.isInteger(last) ? last.toFixed() : last.toFixed(1);
    const context = this.#canvas?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, COLUMNS, HEIGHT);
    const top = Math.max(1, ...values);
    context.fillStyle = '#7fdc8a';
    values.forEach((value, at) => {
      const height = Math.round((value / top) * HEIGHT);
      context.fillRect(COLUMNS - values.length + at, HEIGHT - height, 1, height);
    });
  }
}
