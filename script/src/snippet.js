!function(w){var u=w.usher=(w.usher||0).q?w.usher:{q:[],data:{profile:{get:function(){}}}};u.isShowing=u.isShowing||function(){return!1};
'identify track set show next previous close clear on once off before debug consent init'.split(' ').forEach(function(n){u[n]=u[n]||function(a,b){
var c=[n,arguments];u.q.push(c);if(/^(on|once|before)$/.test(n))return function(){u.off(a,b)};if(n=='show')return new Promise(function(r){
c.push(r);setTimeout(function(){u.kind||r({shown:!1,reason:'unavailable'})},2e4)})}});
var h=w.history,m=/^([^#]*)#usher-pick=([\w-]+)&?(.*)/.exec((w.location||0).href);
if(m){u.p=m[2];h.replaceState(h.state,'',m[1]+(m[3]&&'#'+m[3]))}}(window);
