// Browsers limit the height of an element, so a table of many rows scrolls on a shorter track.

/** The height of an element that all browsers can show at any zoom. */
const trackLimit = 4_000_000;
/** At both ends of the track, so many pixels stand for as many pixels of rows. */
const endZone = 100_000;

/**
 * Maps the scroll position of the track to a position among the rows, both in pixels.
 *
 * Small steps move the rows by as much as the track, so that a wheel or a finger feels right; a jump goes to the
 * proportional position. `settle` then moves the track to where it belongs, without moving the rows.
 */
export class ScrollTrack {
  #height = 0;
  #viewport = 1;
  #top = 0;

  /** The position among the rows. */
  position = 0;

  configure(height, viewport) {
    this.#height = height;
    this.#viewport = Math.max(1, viewport);
    this.position = Math.min(this.position, this.#maximum);
  }

  get trackHeight() {
    return Math.min(this.#height, trackLimit);
  }

  /** What to add to a position of the track for the position among the rows. */
  get offset() {
    return this.position - this.#top;
  }

  get #maximum() {
    return Math.max(0, this.#height - this.#viewport);
  }

  get #trackMaximum() {
    return Math.max(0, this.trackHeight - this.#viewport);
  }

  get #isScaled() {
    return this.#height > trackLimit;
  }

  /** Takes the position of the track after it was scrolled. Returns where to move the track at once, or null. */
  scrolled(top) {
    const step = top - this.#top;
    const isStep = this.#isScaled && Math.abs(step) < this.#viewport * 2;
    this.#top = top;
    if (!isStep) {
      this.position = this.#positionAt(top);
      return null;
    }
    this.position = Math.max(0, Math.min(this.#maximum, this.position + step));
    const isNearEnd = Math.min(top, this.#trackMaximum - top) < endZone / 2;
    return isNearEnd ? this.settle() : null;
  }

  /** Goes to a position among the rows. Returns the position of the track. */
  go(position) {
    this.position = Math.max(0, Math.min(this.#maximum, position));
    this.#top = this.#topAt(this.position);
    return this.#top;
  }

  /** Returns the position of the track that belongs to the rows shown, or null if it has it already. */
  settle() {
    const top = this.#topAt(this.position);
    if (Math.abs(top - this.#top) < 1) return null;
    this.#top = top;
    return top;
  }

  #positionAt(top) {
    const [maximum, trackMaximum] = [this.#maximum, this.#trackMaximum];
    if (!this.#isScaled || top <= endZone) return Math.min(top, maximum);
    if (top >= trackMaximum - endZone) return maximum - Math.max(0, trackMaximum - top);
    return endZone + (top - endZone) * (maximum - 2 * endZone) / (trackMaximum - 2 * endZone);
  }

  #topAt(position) {
    const [maximum, trackMaximum] = [this.#maximum, this.#trackMaximum];
    if (!this.#isScaled || position <= endZone) return position;
    if (position >= maximum - endZone) return trackMaximum - (maximum - position);
    return Math.round(endZone + (position - endZone) * (trackMaximum - 2 * endZone) / (maximum - 2 * endZone));
  }
}
