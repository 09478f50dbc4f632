// Steps through winning lines. It knows no rule: it shows the piles that the checker replayed.
"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const shared = read("table-data");
  const NAMESPACE = document.querySelector("svg").namespaceURI;
  const PAUSE = 900;
  const SLIDE = 220;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // --- words -------------------------------------------------------------------------------

  const cardName = (card) => `${shared.ranks[card[0]]} of ${shared.suits[card[1]]}`;
  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  function label(pile, { cards, down }) {
    if (!cards.length) return `${pile.name}: empty`;
    if (pile.kind === "stock") return `${pile.name}: ${counted(cards.length, "card")}, face down`;
    if (pile.kind === "waste" || pile.kind === "foundation") {
      return `${pile.name}: ${counted(cards.length, "card")}, top card ${cardName(cards.at(-1))}`;
    }
    const names = cards.map((card, depth) => (depth < down ? "face-down card" : cardName(card)));
    return `${pile.name}: ${names.join(", ")}`;
  }

  // --- drawing -----------------------------------------------------------------------------

  function element(name, attributes, text) {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function corner(pile, depth, strip) {
    return {
      x: pile.x + (pile.fan === "right" ? depth * pile.strip : 0),
      y: pile.y + (pile.fan === "down" ? depth * strip : 0),
    };
  }

  // The same elements as the macro in table.svg.j2 makes; `moved` cards from the top are marked.
  function drawPile(pile, state, strip, moved) {
    const { cards, down } = state;
    const made = element("g", { role: "group", "aria-label": label(pile, state) });
    const first = pile.fan === "top" ? Math.max(cards.length - 1, 0) : 0;
    for (let depth = first; depth < cards.length; depth += 1) {
      const { x, y } = corner(pile, depth, strip);
      const name = depth < down ? "face-down card" : cardName(cards[depth]);
      made.append(
        element("use", { href: `#card-${cards[depth]}`, x, y, role: "img", "aria-label": name }),
      );
      if (depth < down) {
        made.append(element("use", { href: "#back", x, y, class: "cover", "aria-hidden": "true" }));
      }
      if (depth >= cards.length - moved) {
        made.append(element("use", { href: "#moved", x, y, "aria-hidden": "true" }));
      }
    }
    if (cards.length && (pile.kind === "stock" || pile.kind === "waste")) {
      const { x, y } = pile;
      made.append(element("use", { href: "#pill", x, y, "aria-hidden": "true" }));
      const at = { x: x + 50, y: y + 127 };
      made.append(element("text", { ...at, class: "count", "aria-hidden": "true" }, cards.length));
    }
    return made;
  }

  // --- positions ---------------------------------------------------------------------------

  const cardsOf = (text) => (text ? text.split(" ") : []);

  // Every position of the line; piles that a step leaves alone are shared.
  function positionsOf(deal) {
    const positions = [deal.piles.map(([cards, down]) => ({ cards: cardsOf(cards), down }))];
    for (const step of deal.steps) {
      const piles = positions.at(-1).slice();
      for (const [index, kept, added, down] of step.piles) {
        piles[index] = { cards: [...piles[index].cards.slice(0, kept), ...cardsOf(added)], down };
      }
      positions.push(piles);
    }
    return positions;
  }

  // --- the player --------------------------------------------------------------------------

  class Player {
    constructor(root) {
      this.root = root;
      this.at = 0;
      this.shown = null;
      this.timer = 0;
      this.felt = root.querySelector(".felt");
      this.controls = root.querySelector(".controls");
      this.copies = root.querySelector(".copies");
      this.copies.hidden = false;
      this.copies.addEventListener("click", (event) => this.copy(event));
      if (this.controls) this.start();
    }

    get deal() {
      this.loaded ??= read(`deal-${this.root.dataset.deal}-data`);
      return this.loaded;
    }

    get positions() {
      this.played ??= positionsOf(this.deal);
      return this.played;
    }

    get last() {
      return Number(this.slider.max);
    }

    start() {
      this.slider = this.controls.querySelector("input");
      this.number = this.controls.querySelector(".number");
      this.words = this.controls.querySelector(".words");
      this.moves = this.root.querySelector(".moves");
      this.list = this.moves.querySelector("ol");
      this.controls.hidden = false;
      this.slider.value = "0";
      this.felt.tabIndex = 0;
      this.felt.setAttribute("role", "group");
      this.felt.setAttribute("aria-label", "Table; arrow keys, Home and End step through the line");
      this.controls.addEventListener("click", (event) => this.press(event));
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.root.addEventListener("keydown", (event) => this.key(event));
      this.moves.addEventListener("toggle", () => this.fillList());
      this.list.addEventListener("click", (event) => {
        const item = event.target.closest("button");
        if (item) this.go(Number(item.value));
      });
      this.buttons();
    }

    press(event) {
      const button = event.target.closest("button");
      if (!button) return;
      const act = button.dataset.do;
      if (act === "play") this.play(!this.timer);
      else this.step(act);
    }

    step(act) {
      const to = { first: 0, back: this.at - 1, next: this.at + 1, last: this.last }[act];
      this.play(false);
      this.go(to);
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const acts = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
      const inList = this.list.contains(event.target);
      if (inList) Object.assign(acts, { ArrowUp: "back", ArrowDown: "next" });
      const plays = event.key === " " && event.target === this.felt;
      // The slider has these keys of its own.
      if (event.target === this.slider || (!acts[event.key] && !plays)) return;
      event.preventDefault();
      if (plays) this.play(!this.timer);
      else this.step(acts[event.key]);
      if (inList) this.list.querySelector("[aria-current]")?.focus();
    }

    play(wanted) {
      clearInterval(this.timer);
      this.timer = 0;
      if (wanted) {
        if (this.at === this.last) this.go(0);
        else this.go(this.at + 1);
        this.timer = setInterval(() => {
          if (this.at < this.last) this.go(this.at + 1);
          if (this.at === this.last) this.play(false);
        }, PAUSE);
      }
      const button = this.controls.querySelector(".play");
      const name = wanted ? "Pause" : "Play";
      button.setAttribute("aria-label", name);
      button.title = name;
      button.querySelector("use").setAttribute("href", wanted ? "#icon-pause" : "#icon-play");
    }

    go(wanted) {
      const to = Math.min(Math.max(wanted, 0), this.last);
      if (to === this.at) return;
      const forward = to === this.at + 1;
      this.at = to;
      this.draw(forward);
      this.say();
      this.buttons();
    }

    draw(forward) {
      const group = this.felt.querySelector(".piles");
      const before = this.shown ?? this.positions[0];
      const now = this.positions[this.at];
      const step = this.at ? this.deal.steps[this.at - 1] : null;
      const moved = new Map((step ? step.transfers : []).map(([, to, count]) => [to, count]));
      shared.piles.forEach((pile, index) => {
        const marked = moved.get(index) ?? 0;
        if (now[index] !== before[index] || marked || this.marked?.has(index)) {
          const made = drawPile(pile, now[index], this.deal.strip, marked);
          group.children[index].replaceWith(made);
        }
      });
      this.shown = now;
      this.marked = moved;
      this.felt.querySelector(".flight").replaceChildren();
      if (forward && !calm.matches && document.visibilityState === "visible") {
        this.slide(step.transfers, before, now);
      }
    }

    // Copies of the moved cards fly over the table; the cards themselves wait unseen.
    slide(transfers, before, now) {
      const flight = this.felt.querySelector(".flight");
      const piles = this.felt.querySelector(".piles");
      for (const [from, to, count] of transfers) {
        const start = before[from].cards.length - count;
        const end = now[to].cards.length - count;
        if (start < 0 || end < 0 || shared.piles[to].kind === "stock") continue;
        const source = corner(shared.piles[from], start, this.deal.strip);
        const target = corner(shared.piles[to], end, this.deal.strip);
        const resting = [...piles.children[to].querySelectorAll("use")].filter(
          (use) => Number(use.getAttribute("y")) >= target.y,
        );
        const flying = element("g", {});
        flying.append(...resting.map((use) => use.cloneNode()));
        flight.append(flying);
        for (const use of resting) use.style.visibility = "hidden";
        const way = `translate(${source.x - target.x}px, ${source.y - target.y}px)`;
        const frames = [{ transform: way }, { transform: "translate(0, 0)" }];
        const land = () => {
          flying.remove();
          for (const use of resting) use.style.removeProperty("visibility");
        };
        flying.animate(frames, { duration: SLIDE, easing: "ease-out" }).finished.then(land, land);
      }
    }

    say() {
      const { at, last } = this;
      this.number.textContent = at ? `Move ${at} of ${last}` : `Start of ${counted(last, "move")}`;
      this.words.textContent = at ? this.deal.steps[at - 1].words : "The deal.";
      if (at === last) this.words.textContent += " The game is won.";
      this.slider.value = String(at);
      this.slider.setAttribute("aria-valuetext", this.number.textContent);
    }

    buttons() {
      const ends = { first: this.at === 0, back: this.at === 0 };
      Object.assign(ends, { next: this.at === this.last, last: this.at === this.last });
      for (const [act, end] of Object.entries(ends)) {
        const button = this.controls.querySelector(`[data-do="${act}"]`);
        // A disabled button would lose the focus of whoever presses it.
        button.setAttribute("aria-disabled", String(end));
      }
      this.markList();
    }

    fillList() {
      if (!this.moves.open || this.list.children.length) return;
      for (const [index, step] of this.deal.steps.entries()) {
        const item = document.createElement("li");
        const button = document.createElement("button");
        const number = document.createElement("span");
        button.type = "button";
        button.value = String(index + 1);
        button.tabIndex = -1;
        number.textContent = String(index + 1);
        button.append(number, step.words);
        item.append(button);
        this.list.append(item);
      }
      this.list.hidden = false;
      this.markList();
    }

    markList() {
      if (!this.list.children.length) return;
      const old = this.list.querySelector('[tabindex="0"]');
      if (old) old.tabIndex = -1;
      old?.removeAttribute("aria-current");
      const current = this.list.children[Math.max(this.at - 1, 0)].firstChild;
      current.tabIndex = 0;
      if (!this.at) return;
      current.setAttribute("aria-current", "step");
      const { offsetTop, offsetHeight } = current.parentElement;
      const { scrollTop, clientHeight } = this.list;
      if (offsetTop < scrollTop) this.list.scrollTop = offsetTop;
      if (offsetTop + offsetHeight > scrollTop + clientHeight) {
        this.list.scrollTop = offsetTop + offsetHeight - clientHeight;
      }
    }

    async copy(event) {
      const button = event.target.closest("button");
      if (!button) return;
      const { game, seed, origin, deal } = this.deal;
      const kind = button.dataset.do.slice("copy-".length);
      const text =
        kind === "json"
          ? JSON.stringify({ game, seed, origin, deal })
          : this.root.querySelector(`[data-copy="${kind}"]`).textContent;
      const done = await toClipboard(text);
      this.copies.querySelector(".copied").textContent = done
        ? "Copied."
        : "This browser does not let a page copy; the text is under \u201cin letters\u201d.";
    }
  }

  async function toClipboard(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Some browsers keep the clipboard from pages that are opened from a file.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  }

  for (const root of document.querySelectorAll(".player")) new Player(root);
})();
