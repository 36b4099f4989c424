export interface Comparison {
  before: string;
  now: string;
  tolerance: number;
  /** The size of the stored picture. */
  quarter: { resizeWidth: number; resizeHeight: number };
}

/** Runs in a page: scales the picture to a quarter, and finds where it differs from another one of that size. */
export async function compare({ before, now, tolerance, quarter }: Comparison) {
  const paper = (across: number, down: number) => {
    const canvas = new OffscreenCanvas(across, down);
    return {
      canvas,
      context: canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D,
    };
  };
  const read = async (png: string, size: ImageBitmapOptions = {}) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob(), size);
    const { context } = paper(image.width, image.height);
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  /** The mean colors of the cells of a picture. */
  const shrink = ({ data, width, height }: ImageData, by: number) => {
    const small = new ImageData(width / by, height / by);
    const sums = new Float64Array(small.data.length);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const cell = (Math.floor(y / by) * small.width + Math.floor(x / by)) * 4;
        for (let part = 0; part < 4; part++)
          sums[cell + part] = (sums[cell + part] ?? 0) + (data[(y * width + x) * 4 + part] ?? 0);
      }
    small.data.set(sums.map((sum) => Math.round(sum / by ** 2)));
    return small;
  };
  // The browser scales pictures with optimized code, which is faster than a loop in this page.
  const small = await read(now, { ...quarter, resizeQuality: 'medium' });
  const { canvas, context } = paper(small.width, small.height);
  context.putImageData(small, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  const png = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const changed: string[] = [];
  if (before !== '') {
    const [was, is] = [shrink(await read(before), 2), shrink(small, 2)];
    for (let cell = 0; cell < is.data.length; cell += 4) {
      const [old, present] = [was, is].map(({ data }) => [...data.slice(cell, cell + 3)]) as [number[], number[]];
      if (old.some((value, part) => Math.abs(value - (present[part] ?? 0)) > tolerance)) {
        const [x, y] = [(cell / 4) % is.width, Math.floor(cell / 4 / is.width)];
        changed.push(`${x * 8},${y * 8}: ${old} is ${present}`);
      }
    }
  }
  return { png, changed };
}
