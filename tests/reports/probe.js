"use strict";
(async () => {
  const report = { errors: window.probed, deals: [], window: innerWidth };
  const pause = (time) => new Promise((done) => setTimeout(done, time));
  const press = (target, key) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  // The piles as [label, [[card, x, y, name, face down]]].
  const piles = (root) =>
    [...root.querySelectorAll(".piles > g")].map((pile) => [
      pile.getAttribute("aria-label"),
      [...pile.querySelectorAll('use[role="img"]')].map((card) => [
        card.getAttribute("href"),
        Number(card.getAttribute("x")),
        Number(card.getAttribute("y")),
        card.getAttribute("aria-label"),
        card.nextElementSibling?.classList.contains("cover") ?? false,
      ]),
    ]);

  let clipboard = "";
  Object.defineProperty(navigator, "clipboard", {
    value: { writeText: async (text) => { clipboard = text; } },
  });

  for (const root of document.querySelectorAll(".player")) {
    const seen = { forward: [], backward: [], words: [], ends: {}, copied: {} };
    report.deals.push(seen);
    for (const button of root.querySelectorAll(".copies button")) {
      button.click();
      await pause(1);
      seen.copied[button.dataset.do.slice("copy-".length)] = clipboard;
    }
    const slider = root.querySelector("input");
    if (!slider) continue;
    const felt = root.querySelector(".felt");
    const number = () => root.querySelector(".number").textContent;
    const markup = () => felt.querySelector(".piles").innerHTML.trim().replace(/>\s+</g, "><");
    const last = Number(slider.max);

    seen.static = markup();
    seen.forward.push(piles(root));
    felt.focus();
    for (let step = 1; step <= last; step += 1) {
      press(felt, "ArrowRight");
      seen.forward.push(piles(root));
      seen.words.push(root.querySelector(".words").textContent);
      if (step === 1) {
        const mark = felt.querySelector('use[href="#moved"]');
        seen.marked = mark.closest("g").getAttribute("aria-label").split(":")[0];
      }
    }
    press(felt, "ArrowRight");
    seen.backward.push(piles(root));
    for (let step = 1; step <= last; step += 1) {
      root.querySelector('[data-do="back"]').click();
      seen.backward.push(piles(root));
    }
    seen.start = markup();
    press(felt, "End");
    seen.ends.End = number();
    press(root.querySelector("button"), "Home");
    seen.ends.Home = number();
    slider.value = "3";
    slider.dispatchEvent(new Event("input"));
    seen.ends.slider = number();
    const moves = root.querySelector(".moves");
    moves.open = true;
    await pause(50);
    seen.items = moves.querySelectorAll("li").length;
    moves.querySelectorAll("li button")[3].click();
    press(moves.querySelector('[aria-current="step"]'), "ArrowDown");
    seen.ends.list = number();
    root.querySelector(".play").click();
    await pause(1000 * last);
    seen.ends.play = number();
  }
  report.width = document.documentElement.scrollWidth;
  parent.postMessage(JSON.stringify(report), "*");
})();
